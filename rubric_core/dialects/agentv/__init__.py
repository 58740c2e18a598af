"""What the generations of AgentV share: records, types of assertions, profiles."""

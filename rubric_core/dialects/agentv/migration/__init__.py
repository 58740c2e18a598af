"""What migrations between the generations of AgentV share."""

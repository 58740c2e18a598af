"""Two gradings side by side: did a change help?"""

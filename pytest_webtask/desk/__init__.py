"""Folders by which processes ask and answer: turns that are handed over, and commands of live sessions."""

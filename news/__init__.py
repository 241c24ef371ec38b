"""What people are told while they are away: mails, and Home in sentences."""

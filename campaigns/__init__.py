"""Campaigns, their members and invitations, who may see what, and the trail."""

"""What a group talks about before it begins to play PDQ."""

QUESTIONS = (
    "What kind of story do you want, and which film or book comes close?",
    "How wide may a quality be? Read them out and ask where each one ends.",
    "Damage lowers what you are good at. How much of that do you want to see in the story?",
    "A hurt quality can start a story of its own. Which parts of a life may it reach, and which are off limits?",
    "Your weakness will come up. How should it make trouble, and how should it not?",
    "Can a character die, or do they drop out and come back?",
    "What happens when two player characters want opposite things?",
    "How much do you want to know about what the other characters hide?",
)

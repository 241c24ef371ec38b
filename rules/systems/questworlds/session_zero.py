"""What a group talks about before it begins to play QuestWorlds."""

QUESTIONS = (
    "What kind of story is this, and what is it never about?",
    "Who are you to each other? Name one thing that each of you owes or trusts another with.",
    "How broad may an ability be? Agree on one that is too wide and one that is too narrow.",
    "A defeat changes the story. Which losses would be exciting for your character, and which would spoil the game?",
    "May flaws and relationships be used against you without asking first, or do you want a say each time?",
    "Can a character die in a contest, or only if their player agrees?",
    "How do you feel about contests between player characters?",
    "What does magic, faith or technology cost in this world, and who decides what it can do?",
)

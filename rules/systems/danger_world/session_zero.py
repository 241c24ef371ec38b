"""What a group talks about before it begins to play Danger World."""

QUESTIONS = (
    "How dangerous is this world: do you expect everyone to survive the first session?",
    "What kinds of harm do you want to see, and which stay off the page?",
    "Danger builds up and strikes. How should it feel: sudden, creeping, absurd?",
    "Who would your character rather help than leave behind? Who would they leave?",
    "What may go wrong for your character that you would enjoy playing?",
    "How dark or how funny is a failed check?",
    "What happens to a player whose character is out early?",
    "Which monsters, animals, illnesses or places should not appear?",
)

"""What a group talks about before it begins to play PDQ#."""

QUESTIONS = (
    "How daring is this story: a light adventure, a tragedy with swords, or something between?",
    "How real are blood and pain when someone loses a duel?",
    "Foibles pay when they make trouble. Which kind of trouble is fun for you, and which is not?",
    "May another player suggest that your foible comes up?",
    "Is it fine to taunt, flirt with or humiliate an opponent? Where does it stop?",
    "Who is a villain that everyone wants to meet again? Can they be killed?",
    "Which journeys, crews, courts or schools should appear often?",
    "When may one hero fight another, and how does it end?",
)

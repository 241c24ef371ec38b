"""What a group talks about before it begins to play PnC."""

QUESTIONS = (
    "When does the story decide by itself, and when do you want dice?",
    "What kind of story is it, and how far may it go into fear, cruelty or romance?",
    "How well do your characters know each other, and what do they want together?",
    "How badly may a fight end, and do you want to be asked before your character dies?",
    "What is your character known for, and what would you like to be asked about?",
    "May one of you roll against another? What is then never at stake?",
    "How do you share the spotlight: who speaks up when someone has been quiet?",
    "Which secrets may the GM keep from you, and which do you want to know as players?",
)

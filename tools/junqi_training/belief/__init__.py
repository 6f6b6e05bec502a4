"""What hidden pieces are: styles of line-ups, policies, and how right belief is."""

COMMANDS = {
    "calibration": "how well belief predicts hidden pieces",
    "styles": "make the styles of line-ups that belief knows",
    "policy": "fit how players choose their moves",
}

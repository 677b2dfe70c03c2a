/**
 * Texts of the pages and mail for recipients. `{address}` stands for the recipient's address, `{sender}` for the
 * sender's name, `{names}` for a list of subscription types.
 */
export const en = {
  unsubscribeTitle: 'Unsubscribe from {sender}',
  unsubscribeAsk: 'Unsubscribe?',
  unsubscribe: 'Unsubscribe',
  willNoLongerGet: '{address} will no longer get messages of this kind from {sender}.',
  addressWillNoLongerGet: 'This address will no longer get these messages.',
  unsubscribed: 'You are unsubscribed',
  noLongerGets: '{address} no longer gets messages of this kind from {sender}.',
  addressNoLongerGets: 'This address no longer gets these messages.',
  mistake: 'Was that a mistake?',
  subscribeAgain: 'Subscribe again',
  subscribedAgain: 'You are subscribed again',
  getsAgain: '{address} gets messages of this kind from {sender}.',
  badLink: 'This link is not valid',
  badUnsubscribeLink:
    'It may have been cut off on its way. Please use the link in the message itself, or answer the message.',
  badClickLink:
    'It may have been cut off on its way, so we do not know where it leads. Please use the link in the message itself.',
  badViewLink:
    'It may have been cut off on its way, be older than 90 days, or come from a preview. The message itself is still in your mailbox.',
  badPreferencesLink:
    'It may have been cut off on its way, be older than 90 days, or come from a preview. Please use the link in a newer message.',
  badConfirmLink:
    'It may have been cut off on its way, or it is older than seven days. Please fill in the form again to get a new one.',
  preferencesTitle: 'Your emails from {sender}',
  savedTitle: 'Saved: your emails from {sender}',
  preferencesAsk: 'What would you like to receive?',
  preferencesSaved: 'Your choice is saved',
  preferencesOf: 'Emails from {sender} to {address}',
  sendMe: 'Send me',
  nothing: 'Nothing any more',
  nothingHint: 'No newsletters or offers from {sender} at all.',
  nothingHintAmongOthers: 'No newsletters or offers from {sender} at all, whatever is ticked above.',
  save: 'Save',
  receiveNothing: 'You receive nothing from {sender} any more.',
  tickAgain: 'Tick what you want to receive again.',
  sendsNothing: 'At present {sender} sends nothing to this address, whatever you choose.',
  youReceive: 'You receive: {names}.',
  receiveNone: 'You receive none of these.',
  confirmTitle: 'Confirm your subscription to {sender}',
  confirmAsk: 'Confirm your subscription?',
  willGet: '{address} will get messages from {sender}.',
  confirm: 'Confirm',
  confirmIgnore: 'If you did not ask for this, close this page: you will get nothing.',
  confirmedTitle: 'Subscribed to {sender}',
  confirmed: 'Your subscription is confirmed',
  confirmedText: '{address} gets messages from {sender}. Each of them has a link to unsubscribe.',
  mailSubject: 'Please confirm your subscription to {sender}',
  mailHello: 'Hello,',
  mailText:
    'your address was entered in a form of {sender}. Please confirm that you want to get messages from us:',
  mailIgnore:
    'The link is good for seven days. If you did not ask for this, ignore this message: you will get nothing.',
};

/** The same texts in any language. */
export type RecipientTexts = Readonly<Record<keyof typeof en, string>>;

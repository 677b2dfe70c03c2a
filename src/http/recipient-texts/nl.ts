import type { RecipientTexts } from './en.ts';

/** Dutch texts. */
export const nl: RecipientTexts = {
  unsubscribeTitle: 'Afmelden bij {sender}',
  unsubscribeAsk: 'Afmelden?',
  unsubscribe: 'Afmelden',
  willNoLongerGet: '{address} ontvangt dan geen berichten van dit soort meer van {sender}.',
  addressWillNoLongerGet: 'Dit adres ontvangt deze berichten dan niet meer.',
  unsubscribed: 'U bent afgemeld',
  noLongerGets: '{address} ontvangt geen berichten van dit soort meer van {sender}.',
  addressNoLongerGets: 'Dit adres ontvangt deze berichten niet meer.',
  mistake: 'Was dat een vergissing?',
  subscribeAgain: 'Opnieuw aanmelden',
  subscribedAgain: 'U bent weer aangemeld',
  getsAgain: '{address} ontvangt berichten van dit soort van {sender}.',
  badLink: 'Deze link is niet geldig',
  badUnsubscribeLink:
    'Misschien is hij onderweg afgebroken. Gebruik de link in het bericht zelf, of beantwoord het bericht.',
  badClickLink:
    'Misschien is hij onderweg afgebroken, zodat we niet weten waar hij heen leidt. Gebruik de link in het bericht zelf.',
  badViewLink:
    'Misschien is hij onderweg afgebroken, ouder dan 90 dagen of afkomstig uit een voorbeeld. Het bericht zelf staat nog in uw postvak.',
  badPreferencesLink:
    'Misschien is hij onderweg afgebroken, ouder dan 90 dagen of afkomstig uit een voorbeeld. Gebruik de link in een nieuwer bericht.',
  badConfirmLink:
    'Misschien is hij onderweg afgebroken, of ouder dan zeven dagen. Vul het formulier opnieuw in om een nieuwe te krijgen.',
  preferencesTitle: 'Uw e-mails van {sender}',
  savedTitle: 'Opgeslagen: uw e-mails van {sender}',
  preferencesAsk: 'Wat wilt u ontvangen?',
  preferencesSaved: 'Uw keuze is opgeslagen',
  preferencesOf: 'E-mails van {sender} aan {address}',
  sendMe: 'Stuur mij',
  nothing: 'Niets meer',
  nothingHint: 'Helemaal geen nieuwsbrieven of aanbiedingen van {sender}.',
  nothingHintAmongOthers:
    'Helemaal geen nieuwsbrieven of aanbiedingen van {sender}, wat er hierboven ook is aangevinkt.',
  save: 'Opslaan',
  receiveNothing: 'U ontvangt niets meer van {sender}.',
  tickAgain: 'Vink aan wat u weer wilt ontvangen.',
  sendsNothing: 'Op dit moment stuurt {sender} niets naar dit adres, wat u ook kiest.',
  youReceive: 'U ontvangt: {names}.',
  receiveNone: 'U ontvangt niets hiervan.',
  confirmTitle: 'Bevestig uw aanmelding bij {sender}',
  confirmAsk: 'Aanmelding bevestigen?',
  willGet: '{address} ontvangt dan berichten van {sender}.',
  confirm: 'Bevestigen',
  confirmIgnore: 'Als u hier niet om hebt gevraagd, sluit dan deze pagina: u ontvangt niets.',
  confirmedTitle: 'Aangemeld bij {sender}',
  confirmed: 'Uw aanmelding is bevestigd',
  confirmedText: '{address} ontvangt berichten van {sender}. Elk bericht heeft een link om u af te melden.',
  mailSubject: 'Bevestig uw aanmelding bij {sender}',
  mailHello: 'Hallo,',
  mailText:
    'uw adres is ingevuld in een formulier van {sender}. Bevestig dat u berichten van ons wilt ontvangen:',
  mailIgnore:
    'De link is zeven dagen geldig. Als u hier niet om hebt gevraagd, negeer dan dit bericht: u ontvangt niets.',
};

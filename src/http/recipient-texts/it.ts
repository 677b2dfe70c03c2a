import type { RecipientTexts } from './en.ts';

/** Italian texts. */
export const it: RecipientTexts = {
  unsubscribeTitle: 'Annulla l’iscrizione a {sender}',
  unsubscribeAsk: 'Annullare l’iscrizione?',
  unsubscribe: 'Annulla l’iscrizione',
  willNoLongerGet: '{address} non riceverà più messaggi di questo tipo da {sender}.',
  addressWillNoLongerGet: 'Questo indirizzo non riceverà più questi messaggi.',
  unsubscribed: 'Iscrizione annullata',
  noLongerGets: '{address} non riceve più messaggi di questo tipo da {sender}.',
  addressNoLongerGets: 'Questo indirizzo non riceve più questi messaggi.',
  mistake: 'È stato un errore?',
  subscribeAgain: 'Iscriviti di nuovo',
  subscribedAgain: 'L’iscrizione è di nuovo attiva',
  getsAgain: '{address} riceve messaggi di questo tipo da {sender}.',
  badLink: 'Questo link non è valido',
  badUnsubscribeLink:
    'Forse è stato troncato. Usi il link nel messaggio stesso oppure risponda al messaggio.',
  badClickLink: 'Forse è stato troncato, quindi non sappiamo dove porta. Usi il link nel messaggio stesso.',
  badViewLink:
    'Forse è stato troncato, ha più di 90 giorni o proviene da un’anteprima. Il messaggio è ancora nella sua casella.',
  badPreferencesLink:
    'Forse è stato troncato, ha più di 90 giorni o proviene da un’anteprima. Usi il link di un messaggio più recente.',
  badConfirmLink:
    'Forse è stato troncato o ha più di sette giorni. Compili di nuovo il modulo per riceverne un altro.',
  preferencesTitle: 'Le sue e-mail da {sender}',
  savedTitle: 'Salvato: le sue e-mail da {sender}',
  preferencesAsk: 'Che cosa desidera ricevere?',
  preferencesSaved: 'La sua scelta è salvata',
  preferencesOf: 'E-mail da {sender} a {address}',
  sendMe: 'Desidero ricevere',
  nothing: 'Più nulla',
  nothingHint: 'Nessuna newsletter né offerta da {sender}.',
  nothingHintAmongOthers: 'Nessuna newsletter né offerta da {sender}, qualunque cosa sia selezionata sopra.',
  save: 'Salva',
  receiveNothing: 'Non riceve più nulla da {sender}.',
  tickAgain: 'Selezioni ciò che desidera ricevere di nuovo.',
  sendsNothing: 'Al momento {sender} non invia nulla a questo indirizzo, qualunque cosa scelga.',
  youReceive: 'Riceve: {names}.',
  receiveNone: 'Non riceve nulla di tutto ciò.',
  confirmTitle: 'Confermi l’iscrizione a {sender}',
  confirmAsk: 'Confermare l’iscrizione?',
  willGet: '{address} riceverà messaggi da {sender}.',
  confirm: 'Conferma',
  confirmIgnore: 'Se non l’ha richiesto, chiuda questa pagina: non riceverà nulla.',
  confirmedTitle: 'Iscritto a {sender}',
  confirmed: 'L’iscrizione è confermata',
  confirmedText: '{address} riceve messaggi da {sender}. Ognuno contiene un link per annullare l’iscrizione.',
  mailSubject: 'Confermi l’iscrizione a {sender}',
  mailHello: 'Buongiorno,',
  mailText:
    'il suo indirizzo è stato inserito in un modulo di {sender}. Confermi che desidera ricevere i nostri messaggi:',
  mailIgnore:
    'Il link vale sette giorni. Se non l’ha richiesto, ignori questo messaggio: non riceverà nulla.',
};

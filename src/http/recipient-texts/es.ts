import type { RecipientTexts } from './en.ts';

/** Spanish texts. */
export const es: RecipientTexts = {
  unsubscribeTitle: 'Darse de baja de {sender}',
  unsubscribeAsk: '¿Darse de baja?',
  unsubscribe: 'Darse de baja',
  willNoLongerGet: '{address} ya no recibirá mensajes de este tipo de {sender}.',
  addressWillNoLongerGet: 'Esta dirección ya no recibirá estos mensajes.',
  unsubscribed: 'Se ha dado de baja',
  noLongerGets: '{address} ya no recibe mensajes de este tipo de {sender}.',
  addressNoLongerGets: 'Esta dirección ya no recibe estos mensajes.',
  mistake: '¿Ha sido un error?',
  subscribeAgain: 'Suscribirse de nuevo',
  subscribedAgain: 'Vuelve a estar suscrito',
  getsAgain: '{address} recibe mensajes de este tipo de {sender}.',
  badLink: 'Este enlace no es válido',
  badUnsubscribeLink:
    'Puede que se haya cortado por el camino. Utilice el enlace del propio mensaje o responda al mensaje.',
  badClickLink:
    'Puede que se haya cortado por el camino, así que no sabemos adónde lleva. Utilice el enlace del propio mensaje.',
  badViewLink:
    'Puede que se haya cortado por el camino, que tenga más de 90 días o que venga de una vista previa. El mensaje sigue en su buzón.',
  badPreferencesLink:
    'Puede que se haya cortado por el camino, que tenga más de 90 días o que venga de una vista previa. Utilice el enlace de un mensaje más reciente.',
  badConfirmLink:
    'Puede que se haya cortado por el camino o que tenga más de siete días. Rellene de nuevo el formulario para recibir otro.',
  preferencesTitle: 'Sus correos de {sender}',
  savedTitle: 'Guardado: sus correos de {sender}',
  preferencesAsk: '¿Qué desea recibir?',
  preferencesSaved: 'Su elección se ha guardado',
  preferencesOf: 'Correos de {sender} a {address}',
  sendMe: 'Quiero recibir',
  nothing: 'Nada más',
  nothingHint: 'Ningún boletín ni oferta de {sender}.',
  nothingHintAmongOthers: 'Ningún boletín ni oferta de {sender}, sea lo que sea lo marcado arriba.',
  save: 'Guardar',
  receiveNothing: 'Ya no recibe nada de {sender}.',
  tickAgain: 'Marque lo que desea volver a recibir.',
  sendsNothing: 'Por ahora {sender} no envía nada a esta dirección, elija lo que elija.',
  youReceive: 'Recibe: {names}.',
  receiveNone: 'No recibe nada de esto.',
  confirmTitle: 'Confirme su suscripción a {sender}',
  confirmAsk: '¿Confirmar la suscripción?',
  willGet: '{address} recibirá mensajes de {sender}.',
  confirm: 'Confirmar',
  confirmIgnore: 'Si no lo ha solicitado, cierre esta página: no recibirá nada.',
  confirmedTitle: 'Suscrito a {sender}',
  confirmed: 'Su suscripción está confirmada',
  confirmedText: '{address} recibe mensajes de {sender}. Cada uno tiene un enlace para darse de baja.',
  mailSubject: 'Confirme su suscripción a {sender}',
  mailHello: 'Hola:',
  mailText:
    'Su dirección se ha introducido en un formulario de {sender}. Confirme que desea recibir nuestros mensajes:',
  mailIgnore:
    'El enlace es válido durante siete días. Si no lo ha solicitado, ignore este mensaje: no recibirá nada.',
};

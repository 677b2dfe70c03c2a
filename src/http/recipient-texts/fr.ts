import type { RecipientTexts } from './en.ts';

/** French texts. */
export const fr: RecipientTexts = {
  unsubscribeTitle: 'Se désabonner de {sender}',
  unsubscribeAsk: 'Vous désabonner ?',
  unsubscribe: 'Se désabonner',
  willNoLongerGet: '{address} ne recevra plus de messages de ce type de {sender}.',
  addressWillNoLongerGet: 'Cette adresse ne recevra plus ces messages.',
  unsubscribed: 'Vous êtes désabonné',
  noLongerGets: '{address} ne reçoit plus de messages de ce type de {sender}.',
  addressNoLongerGets: 'Cette adresse ne reçoit plus ces messages.',
  mistake: 'Était-ce une erreur ?',
  subscribeAgain: 'Se réabonner',
  subscribedAgain: 'Vous êtes de nouveau abonné',
  getsAgain: '{address} reçoit des messages de ce type de {sender}.',
  badLink: 'Ce lien n’est pas valide',
  badUnsubscribeLink:
    'Il a peut-être été tronqué. Veuillez utiliser le lien dans le message lui-même, ou répondre au message.',
  badClickLink:
    'Il a peut-être été tronqué : nous ne savons pas où il mène. Veuillez utiliser le lien dans le message lui-même.',
  badViewLink:
    'Il a peut-être été tronqué, date de plus de 90 jours ou vient d’un aperçu. Le message est toujours dans votre boîte.',
  badPreferencesLink:
    'Il a peut-être été tronqué, date de plus de 90 jours ou vient d’un aperçu. Veuillez utiliser le lien d’un message plus récent.',
  badConfirmLink:
    'Il a peut-être été tronqué ou date de plus de sept jours. Veuillez remplir à nouveau le formulaire pour en recevoir un autre.',
  preferencesTitle: 'Vos e-mails de {sender}',
  savedTitle: 'Enregistré : vos e-mails de {sender}',
  preferencesAsk: 'Que souhaitez-vous recevoir ?',
  preferencesSaved: 'Votre choix est enregistré',
  preferencesOf: 'E-mails de {sender} à {address}',
  sendMe: 'Envoyez-moi',
  nothing: 'Plus rien',
  nothingHint: 'Aucune lettre d’information ni offre de {sender}.',
  nothingHintAmongOthers:
    'Aucune lettre d’information ni offre de {sender}, quoi que vous ayez coché ci-dessus.',
  save: 'Enregistrer',
  receiveNothing: 'Vous ne recevez plus rien de {sender}.',
  tickAgain: 'Cochez ce que vous souhaitez recevoir à nouveau.',
  sendsNothing: 'Pour le moment, {sender} n’envoie rien à cette adresse, quel que soit votre choix.',
  youReceive: 'Vous recevez : {names}.',
  receiveNone: 'Vous n’en recevez aucun.',
  confirmTitle: 'Confirmer votre abonnement à {sender}',
  confirmAsk: 'Confirmer votre abonnement ?',
  willGet: '{address} recevra des messages de {sender}.',
  confirm: 'Confirmer',
  confirmIgnore: 'Si vous n’avez rien demandé, fermez cette page : vous ne recevrez rien.',
  confirmedTitle: 'Abonné à {sender}',
  confirmed: 'Votre abonnement est confirmé',
  confirmedText: '{address} reçoit des messages de {sender}. Chacun contient un lien pour se désabonner.',
  mailSubject: 'Veuillez confirmer votre abonnement à {sender}',
  mailHello: 'Bonjour,',
  mailText:
    'votre adresse a été saisie dans un formulaire de {sender}. Veuillez confirmer que vous souhaitez recevoir nos messages :',
  mailIgnore:
    'Le lien est valable sept jours. Si vous n’avez rien demandé, ignorez ce message : vous ne recevrez rien.',
};

import type { RecipientTexts } from './en.ts';

/** Portuguese texts. */
export const pt: RecipientTexts = {
  unsubscribeTitle: 'Cancelar a inscrição em {sender}',
  unsubscribeAsk: 'Cancelar a inscrição?',
  unsubscribe: 'Cancelar a inscrição',
  willNoLongerGet: '{address} não receberá mais mensagens deste tipo de {sender}.',
  addressWillNoLongerGet: 'Este endereço não receberá mais estas mensagens.',
  unsubscribed: 'A inscrição foi cancelada',
  noLongerGets: '{address} não recebe mais mensagens deste tipo de {sender}.',
  addressNoLongerGets: 'Este endereço não recebe mais estas mensagens.',
  mistake: 'Foi um engano?',
  subscribeAgain: 'Inscrever-se novamente',
  subscribedAgain: 'A inscrição está ativa novamente',
  getsAgain: '{address} recebe mensagens deste tipo de {sender}.',
  badLink: 'Este link não é válido',
  badUnsubscribeLink:
    'Talvez tenha sido cortado no caminho. Use o link da própria mensagem ou responda à mensagem.',
  badClickLink:
    'Talvez tenha sido cortado no caminho, por isso não sabemos para onde leva. Use o link da própria mensagem.',
  badViewLink:
    'Talvez tenha sido cortado no caminho, tenha mais de 90 dias ou venha de uma pré-visualização. A mensagem continua na sua caixa de entrada.',
  badPreferencesLink:
    'Talvez tenha sido cortado no caminho, tenha mais de 90 dias ou venha de uma pré-visualização. Use o link de uma mensagem mais recente.',
  badConfirmLink:
    'Talvez tenha sido cortado no caminho ou tenha mais de sete dias. Preencha o formulário novamente para receber outro.',
  preferencesTitle: 'Os seus e-mails de {sender}',
  savedTitle: 'Guardado: os seus e-mails de {sender}',
  preferencesAsk: 'O que deseja receber?',
  preferencesSaved: 'A sua escolha foi guardada',
  preferencesOf: 'E-mails de {sender} para {address}',
  sendMe: 'Quero receber',
  nothing: 'Mais nada',
  nothingHint: 'Nenhuma newsletter nem oferta de {sender}.',
  nothingHintAmongOthers:
    'Nenhuma newsletter nem oferta de {sender}, seja o que for que esteja marcado acima.',
  save: 'Guardar',
  receiveNothing: 'Já não recebe nada de {sender}.',
  tickAgain: 'Marque o que deseja voltar a receber.',
  sendsNothing: 'De momento, {sender} não envia nada para este endereço, seja qual for a sua escolha.',
  youReceive: 'Recebe: {names}.',
  receiveNone: 'Não recebe nada disto.',
  confirmTitle: 'Confirme a sua inscrição em {sender}',
  confirmAsk: 'Confirmar a inscrição?',
  willGet: '{address} receberá mensagens de {sender}.',
  confirm: 'Confirmar',
  confirmIgnore: 'Se não pediu isto, feche esta página: não receberá nada.',
  confirmedTitle: 'Inscrito em {sender}',
  confirmed: 'A sua inscrição está confirmada',
  confirmedText: '{address} recebe mensagens de {sender}. Cada uma tem um link para cancelar a inscrição.',
  mailSubject: 'Confirme a sua inscrição em {sender}',
  mailHello: 'Olá,',
  mailText:
    'o seu endereço foi introduzido num formulário de {sender}. Confirme que deseja receber as nossas mensagens:',
  mailIgnore:
    'O link é válido durante sete dias. Se não pediu isto, ignore esta mensagem: não receberá nada.',
};

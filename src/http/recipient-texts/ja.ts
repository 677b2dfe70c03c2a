import type { RecipientTexts } from './en.ts';

/** Japanese texts. */
export const ja: RecipientTexts = {
  unsubscribeTitle: '{sender}の配信停止',
  unsubscribeAsk: '配信を停止しますか?',
  unsubscribe: '配信を停止する',
  willNoLongerGet: '{address} には、{sender} からこの種類のメールが届かなくなります。',
  addressWillNoLongerGet: 'このアドレスには、これらのメールが届かなくなります。',
  unsubscribed: '配信を停止しました',
  noLongerGets: '{address} には、{sender} からこの種類のメールは届きません。',
  addressNoLongerGets: 'このアドレスには、これらのメールは届きません。',
  mistake: '間違えましたか?',
  subscribeAgain: 'もう一度購読する',
  subscribedAgain: '購読を再開しました',
  getsAgain: '{address} には、{sender} からこの種類のメールが届きます。',
  badLink: 'このリンクは無効です',
  badUnsubscribeLink:
    '途中で切れている可能性があります。メール本文のリンクを使うか、メールに返信してください。',
  badClickLink: '途中で切れている可能性があり、リンク先がわかりません。メール本文のリンクを使ってください。',
  badViewLink:
    '途中で切れているか、90日を過ぎているか、プレビューのリンクである可能性があります。メールはメールボックスに残っています。',
  badPreferencesLink:
    '途中で切れているか、90日を過ぎているか、プレビューのリンクである可能性があります。新しいメールのリンクを使ってください。',
  badConfirmLink:
    '途中で切れているか、7日を過ぎている可能性があります。フォームにもう一度記入すると新しいリンクが届きます。',
  preferencesTitle: '{sender}からのメール',
  savedTitle: '保存しました:{sender}からのメール',
  preferencesAsk: '受け取りたいメールを選んでください',
  preferencesSaved: '設定を保存しました',
  preferencesOf: '{sender} から {address} へのメール',
  sendMe: '受け取るもの',
  nothing: '何も受け取らない',
  nothingHint: '{sender} からのニュースレターやお知らせを一切受け取りません。',
  nothingHintAmongOthers:
    '上の選択にかかわらず、{sender} からのニュースレターやお知らせを一切受け取りません。',
  save: '保存',
  receiveNothing: '{sender} からは何も届きません。',
  tickAgain: '再び受け取りたいものを選んでください。',
  sendsNothing: '現在、選択にかかわらず {sender} からこのアドレスには何も送信されません。',
  youReceive: '受け取るもの:{names}',
  receiveNone: 'いずれも受け取りません。',
  confirmTitle: '{sender}の購読の確認',
  confirmAsk: '購読を確認しますか?',
  willGet: '{address} に {sender} からメールが届きます。',
  confirm: '確認する',
  confirmIgnore: 'お心当たりがない場合は、このページを閉じてください。何も届きません。',
  confirmedTitle: '{sender}を購読しました',
  confirmed: '購読が確認されました',
  confirmedText: '{address} に {sender} からメールが届きます。各メールに配信停止のリンクがあります。',
  mailSubject: '{sender}の購読をご確認ください',
  mailHello: 'こんにちは。',
  mailText:
    'あなたのアドレスが {sender} のフォームに入力されました。メールの受け取りを希望される場合はご確認ください。',
  mailIgnore:
    'リンクの有効期間は7日間です。お心当たりがない場合は、このメールを無視してください。何も届きません。',
};

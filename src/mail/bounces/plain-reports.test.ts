import assert from 'node:assert/strict';
import test from 'node:test';
import { readReport } from './read-report.ts';

const bytes = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'));
const word = (text: string, charset = 'utf-8', encoding: BufferEncoding = 'utf8') =>
  `=?${charset}?B?${Buffer.from(text, encoding).toString('base64')}?=`;
const DAEMON = 'Mail Delivery System <MAILER-DAEMON@mx.example>';

/** Returns the kind of a mail with these fields and this text. */
function kindOf(fields: string, words: string, hasNullSender = true): string {
  const report = readReport(bytes(`To: bounce@shop.test\n${fields}\n\n${words}\n`), hasNullSender);
  return report.kind === 'bounce' ? report.bounceClass : report.kind;
}

test('subjects in other languages and charsets identify a bounce', () => {
  const subjects = [
    word('Undeliverable: Spring sale'),
    word('Zustellung der Nachricht fehlgeschlagen'),
    word('Unzustellbar: Frühling', 'iso-8859-1', 'latin1'),
    word('Échec de remise : Soldes'),
    word('No se puede entregar: Oferta'),
    word('Impossibile recapitare: Offerta'),
    word('Não foi entregue: Oferta'),
    word('Niedostarczone: Oferta'),
    word('Недоставленное сообщение'),
    word('投递失败'),
    '=?iso-2022-jp?B?GyRCR1s/LiUoJWkhPBsoQg==?=',
    '=?utf-8?Q?Delivery_Status_Notification_=28Failure=29?=',
    `${word('Undeliv')}\n ${word('erable: Spring')}`,
    word('Onbestelbaar: Aanbieding'),
  ];
  for (const subject of subjects)
    assert.equal(kindOf(`From: ${DAEMON}\nSubject: ${subject}`, '550 5.1.1 User unknown'), 'hard', subject);
});

test('words in the charset of a part give the reason', () => {
  const part = (charset: string, encoded: string) =>
    kindOf(
      `From: ${DAEMON}\nSubject: failure notice\nContent-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: base64`,
      encoded,
    );
  assert.equal(
    part('iso-8859-1', Buffer.from('550 Empfänger unbekannt', 'latin1').toString('base64')),
    'hard',
  );
  assert.equal(part('"utf-16le"', Buffer.from('550 user unknown', 'utf16le').toString('base64')), 'hard');
  assert.equal(part('no-such-charset', Buffer.from('550 user unknown').toString('base64')), 'hard');
});

test('subjects of localised servers identify a bounce, encoded and as plain UTF-8', () => {
  const subjects = [
    'Ihre Nachricht konnte nicht zugestellt werden',
    'Nicht zustellbar: Angebot',
    'Rückläufer: Angebot',
    "Votre message n'a pas pu être remis",
    'Erreur de distribution',
    'Rapport de non-remise',
    'Su mensaje no pudo ser entregado',
    'Error al entregar el mensaje',
    'Errore di consegna',
    'Il messaggio non è stato consegnato',
    'Falha ao entregar a mensagem',
    'Uw bericht kon niet worden bezorgd',
    'Wiadomość nie została dostarczona',
    'Błąd dostarczenia',
    'Doručení se nezdařilo',
    'Письмо не было доставлено',
    'Не вдалося доставити',
    '系统退信',
    '郵件投遞失敗',
    'メールを配信できませんでした',
    'メールエラー通知',
    '메일 전송 실패',
    'There was an error sending your mail',
    'failed delivery',
    'Returned mail: User unknown',
  ];
  for (const subject of subjects)
    for (const written of [subject, word(subject)])
      assert.equal(kindOf(`From: ${DAEMON}\nSubject: ${written}`, '550 5.1.1 User unknown'), 'hard', written);
});

test('subjects in charsets of other names are decoded', () => {
  const subjects = [
    '=?windows-1252?Q?Unzustellbar=3A_Fr=FChling?=',
    '=?ISO-8859-2?Q?Wiadomo=B6=E6_nie_dostarczona?=',
    '=?koi8-r?B?7sUgxM/T1MHXzMXOzw==?=',
    '=?gb2312?B?zcvQxQ==?=',
    '=?big5?B?sGirSA==?=',
    '=?cp932?B?lHqQTZVzlFw=?=',
    '=?UTF-8*en?Q?Undeliverable?=',
  ];
  for (const subject of subjects)
    assert.equal(kindOf(`From: ${DAEMON}\nSubject: ${subject}`, '550 5.1.1 User unknown'), 'hard', subject);
});

test('phrases of a mail server identify a bounce whose subject does not', () => {
  const texts = [
    'Your message\n\ndid not reach the following recipient(s):\n\na@b.test\n    The recipient name is not recognized',
    'We had trouble delivering your message.\na@b.test: It responded as follows: [550 5.1.1 User unknown',
    'Unable to deliver message to the following address(es).\n<a@b.test>: user unknown',
    'Your mail could not be delivered to: <a@b.test>\n550 No such user',
    'Delivery to the following recipient failed permanently:\na@b.test\n550 5.1.1 The account does not exist',
    'The following addresses had delivery errors:\na@b.test [User unknown]',
  ];
  for (const text of texts) {
    assert.equal(kindOf(`From: ${DAEMON}\nSubject: Mail`, text), 'hard', text);
    assert.equal(kindOf('From: Ada <ada@b.test>\nSubject: Mail', text), 'reply', text);
  }
  const delays = [
    'Your message could not be delivered to a@b.test for 2 hours. It will be retried until it is 4 days old.',
    'THIS IS A WARNING MESSAGE ONLY. Your mail could not be delivered to a@b.test',
    'Could not be delivered to a@b.test so far. Delivery attempts will continue for some time.',
  ];
  for (const text of delays) assert.equal(kindOf(`From: ${DAEMON}\nSubject: Mail`, text), 'reply', text);
});

test('a report that has lost its parts is read as text', () => {
  const status =
    'Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822; a@b.test\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 User unknown';
  const report = `From: ${DAEMON}\nSubject: Undelivered\nContent-Type: multipart/report; boundary=b`;
  const bodies = [
    status,
    `--other\nContent-Type: text/plain\n\n${status}\n--other--`,
    `--b\nContent-Type: application/octet-stream; name=details.txt\n\n${status}\n--b--`,
    `--b\nContent-Type: message/delivery-status\n\n${status.slice(0, 95)}`,
  ];
  for (const body of bodies) assert.equal(kindOf(report, body), 'hard', body);
  const delayed = status.replace('failed', 'delayed').replaceAll('5.1.1', '4.4.1');
  assert.equal(kindOf(report, `--other\n${delayed}\n--other--`), 'informational');
});

test('Japanese in a status part is decoded, although the part cannot name its charset', () => {
  const diagnostic = 'X-Notes; \x1b$B%f!<%6!<\x1b(B a \x1b$B$O8+$D$+$j$^$;$s\x1b(B';
  assert.equal(
    kindOf(
      `From: ${DAEMON}\nSubject: x\nContent-Type: multipart/report; boundary=b`,
      `--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: ${diagnostic}\n--b--`,
    ),
    'hard',
  );
});

test('a status 4.0.0 that Gmail reports for missing domains is ignored', () => {
  const failed = (diagnostic: string) =>
    kindOf(
      `From: ${DAEMON}\nSubject: x\nContent-Type: multipart/report; boundary=b`,
      `--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\nAction: failed\nStatus: 4.0.0\nDiagnostic-Code: smtp; ${diagnostic}\n--b--`,
    );
  assert.equal(failed("DNS Error: DNS type 'mx' lookup of gone.test responded with code NXDOMAIN"), 'hard');
  assert.equal(failed('DNS Error: DNS server could not be reached'), 'soft');
  assert.equal(failed('450 4.1.1 User unknown'), 'soft');
});

test('text below "the following" is read', () => {
  const texts = [
    '   ----- The following addresses had permanent fatal errors -----\n<a@x.test>\n    (reason: 550 5.1.1 User unknown)',
    '** The following recipients could not be reached **\n<a@x.test>: 550 No such user here',
    '--- The following address failed: ---\n550 unknown mailbox',
    '___ the following error was returned\n550 5.1.1 recipient not found',
    '   ----- Transcript of session follows -----\n... while talking to mx.x.test:\n<<< 550 5.1.1 unknown user',
  ];
  for (const text of texts)
    assert.equal(kindOf(`From: ${DAEMON}\nSubject: Returned mail`, text), 'hard', text);
});

test('the subject of the original does not turn a bounce into a delay', () => {
  const subjects = [
    'Undeliverable: Flight delay',
    'Undeliverable: Warning: your trial ends',
    'Undelivered Mail Returned to Sender: storm warning',
    'Delivery failure: delayed shipment',
    'Returned mail: Delayed delivery of your order',
    'Mail delivery failed: warning',
    'failure notice: Warning: low stock',
    'Delivery Status Notification (Failure): Delay in production',
    'Unzustellbar: Warning signs',
    'Undeliverable: Delay',
  ];
  for (const subject of subjects)
    assert.equal(kindOf(`From: ${DAEMON}\nSubject: ${subject}`, '550 5.1.1 User unknown'), 'hard', subject);
});

test('a report of a delay is not a bounce', () => {
  const subjects = [
    'Warning: message 1a2b3c-000 delayed 24 hours',
    'Delivery Status Notification (Delay)',
    'Delayed Mail (still being retried)',
    'Warning: could not send message for past 4 hours',
    'Message delayed',
    'Delivery delayed: Spring sale',
    '=?utf-8?Q?Verz=C3=B6gerte_Zustellung?=',
    'Delivery Notification: Delivery has been delayed',
  ];
  for (const subject of subjects)
    assert.equal(kindOf(`From: ${DAEMON}\nSubject: ${subject}`, '451 4.3.0 later'), 'reply', subject);
});

test('an automatic reply is ignored, with any quoted subject and envelope', () => {
  const answers = [
    'From: a@b.test\nSubject: Automatic reply: Your message could not be delivered',
    'From: a@b.test\nSubject: Re: Undeliverable seeds\nAuto-Submitted: auto-replied',
    'From: a@b.test\nSubject: Delivery failure of roses\nIn-Reply-To: <1@shop.test>',
    `From: a@b.test\nSubject: ${word('Automatische Antwort: Zustellung fehlgeschlagen')}`,
    'From: a@b.test\nSubject: Out of Office: Returned mail',
    'From: a@b.test\nSubject: =?utf-8?Q?R=C3=A9ponse_automatique_:_non_remis?=',
    'From: a@b.test\nSubject: Respuesta automática: no entregado',
    'From: a@b.test\nSubject: failure notice\nPrecedence: auto_reply',
    'From: a@b.test\nSubject: failure notice\nX-Autoreply: yes',
    'From: a@b.test\nSubject: Vacation: delivery failed',
    `From: a@b.test\nSubject: ${word('自動返信: 配信不能')}`,
    'From: postmaster@b.test\nSubject: Auto-reply: undeliverable',
    ...[
      'Abwesenheitsnotiz: Unzustellbar',
      "Message d'absence: erreur de distribution",
      'Fuera de la oficina: mensaje devuelto',
      'Risposta automatica: mancata consegna',
      'Resposta automática: não entregue',
      'Afwezigheidsbericht: niet bezorgd',
      'Odpowiedź automatyczna: niedostarczone',
      'Frånvaro: leveransfel',
      'Automaattinen vastaus: toimitus epäonnistui',
      'Автоответ: не доставлено',
      '自动回复: 退信',
      '不在通知: 送信エラー',
      '자동 회신: 반송',
    ].flatMap((subject) => [
      `From: a@b.test\nSubject: ${word(subject)}`,
      `From: postmaster@b.test\nSubject: ${word(subject)}`,
    ]),
    'From: a@b.test\nSubject: AW: Unzustellbar',
    'From: a@b.test\nSubject: failure notice\nX-Mail-Autoreply: vacation',
    'From: a@b.test\nSubject: failure notice\nX-Vacation: yes',
    'From: a@b.test\nSubject: failure notice\nX-Amazon-Auto-Reply: true',
  ];
  for (const fields of answers)
    for (const hasNullSender of [true, false])
      assert.equal(kindOf(fields, 'I am away. 550 user unknown', hasNullSender), 'reply', fields);
});

test('a bounce that is marked as an automatic reply is a bounce', () => {
  const bounces = [
    `From: ${DAEMON}\nSubject: failure notice\nAuto-Submitted: auto-replied`,
    `From: ${DAEMON}\nSubject: Undeliverable\nIn-Reply-To: <1@shop.test>`,
    'From: Exim <mail@mx.test>\nSubject: Mail failure\nX-Failed-Recipients: a@b.test\nAuto-Submitted: auto-replied',
    'From: MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@x.test\nSubject: Undeliverable: Sale\nIn-Reply-To: <1@x>',
  ];
  for (const fields of bounces) assert.equal(kindOf(fields, '550 5.1.1 User unknown'), 'hard', fields);
});

test('a receipt for a message deleted unread is ignored', () => {
  const receipt = `Subject: Not read: Sale\nContent-Type: multipart/report; report-type=disposition-notification; boundary=b`;
  const body =
    '--b\nContent-Type: message/disposition-notification\n\nDisposition: automatic-action/MDN-sent-automatically; deleted\n\n--b--';
  assert.equal(kindOf(receipt, body), 'reply');
});

const ATTACHED = 'Return-Path: <bounce+x@shop.test>\nSubject: Sale\n\nBuy';
const withMessage = (fields: string, attached = ATTACHED) =>
  kindOf(
    `${fields}\nContent-Type: multipart/mixed; boundary=b`,
    `--b\nContent-Type: text/plain\n\nSee below.\n\n--b\nContent-Type: message/rfc822\n\n${attached}\n--b--`,
    false,
  );

test('a complaint without a feedback report counts if it contains the message', () => {
  const subjects = [
    'complaint about message from 192.0.2.1',
    'FW: complaint about message from 192.0.2.1',
    'Email Feedback Report for IP 192.0.2.1',
    'Abuse report',
    'E-mail abuse report',
    '[Spam complaint] Sale',
    'Spam Report for shop.test',
    'User complaint',
    '=?utf-8?Q?complaint_about_message_from_192.0.2.1?=',
  ];
  for (const subject of subjects)
    assert.equal(withMessage(`From: staff@hotmail.com\nSubject: ${subject}`), 'complaint', subject);
  const marked = `X-HmXmrOriginalRecipient: ada@hotmail.com\n${ATTACHED}`;
  assert.equal(withMessage('From: staff@hotmail.com\nSubject: Sale', marked), 'complaint');
});

test('a mail that only mentions complaints is not a complaint', () => {
  assert.equal(kindOf('From: a@b.test\nSubject: complaint about message from you', 'Hm.', false), 'other');
  assert.equal(withMessage('From: a@b.test\nSubject: Fwd: Sale'), 'other');
});

test('an answer to a report is no bounce, whoever sends it', () => {
  const subjects = [
    'Re: Undeliverable: Spring sale',
    'RE: Delivery Status Notification (Failure)',
    'AW: Unzustellbar: Angebot',
    '[Ticket#2026112910000017] Re: Undeliverable: Spring sale',
    '[#4711] RE: Mail delivery failed: returning message to sender',
    'Re[2]: failure notice',
    'Re(3): Undelivered Mail Returned to Sender',
    'Re^2: Undelivered Mail Returned to Sender',
    'Fwd: Undeliverable: Spring sale',
    'WG: Nicht zustellbar: Angebot',
    'TR: Echec de remise : Soldes',
    'RV: Undeliverable',
    'SV: Re: Undeliverable: Spring sale',
    'Re: Delivery delayed: Spring sale',
    word('回复：退信'),
  ];
  const senders = ['Postmaster <postmaster@shop.example>', 'Support <support@shop.example>', DAEMON];
  const quoted = 'Your message was received.\n\nHi. This is the qmail-send program.\n550 5.1.1 User unknown';
  for (const subject of subjects)
    for (const from of senders)
      assert.equal(kindOf(`From: ${from}\nSubject: ${subject}`, quoted), 'reply', `${from} ${subject}`);
});

test('a report about an answer stays a bounce', () => {
  for (const subject of ['Undeliverable: Re: Spring sale', 'failure notice: [Ticket#1] Re: Undeliverable'])
    assert.equal(kindOf(`From: ${DAEMON}\nSubject: ${subject}`, '550 5.1.1 User unknown'), 'hard', subject);
  const marked = `From: ${DAEMON}\nX-Failed-Recipients: ada@example.com\nSubject: Re: Undeliverable`;
  assert.equal(kindOf(marked, '550 5.1.1 User unknown'), 'hard');
});

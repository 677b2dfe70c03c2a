/** Classifies a mail without a delivery status: a bounce, an automatic reply, or a message written by a person. */
import { decodeWords } from './encoded-words.ts';

/** Subjects of non-delivery reports, in the languages of mail servers. */
const FAILURE_SUBJECT = new RegExp(
  [
    'undeliver(?:ed|able)|not (?:be )?delivered|failure notice|delivery (?:status )?(?:notification|failure|failed|problem|error|report)|(?:has|have) failed|returned (?:mail|to sender)|mail delivery (?:failed|failure|system|subsystem|error)|(?:message|mail|e-?mail) (?:delivery )?(?:failed|failure|returned|rejected|undeliverable)|could ?n.?t be delivered|could not be (?:delivered|sent)|message bounced|nondeliverable|non-?delivery|failed mail|bounce(?:d)? (?:mail|message|notification)|rejected mail|failed (?:to deliver|delivery)|(?:error|problem) (?:sending|delivering) your (?:mail|message|e-?mail)|unable to deliver|user unknown|delivery has failed|permanent (?:delivery )?error|message not delivered|mail error',
    'unzustellbar|nicht zugestellt|zustellung .{0,30}fehlgeschlagen|fehlgeschlagene zustellung|unzustellbarkeit|zustellfehler|zustellbericht|unzustellbare|konnte nicht (?:zugestellt|gesendet|ausgeliefert)|nicht zustellbar|zur.{1,2}ckgewiesen|r.{1,2}ckl.{1,2}ufer',
    'non remis|non remise|non distribu|chec de (?:la )?(?:remise|distribution|livraison)|avis de non|impossible de (?:remettre|livrer)|retourn. . l.exp|n.a pas pu .tre (?:remis|d.livr|envoy|distribu)|erreur de (?:remise|distribution|livraison)|rapport de non|non d.livr',
    'no entregado|no se (?:ha )?(?:podido |puede |pudo )?entreg|error de entrega|fallo (?:en|de) (?:la )?entrega|no se pudo (?:enviar|entregar)|devuelto|mensaje no enviado|imposible entregar|no (?:se )?pudo ser entregado|entrega (?:ha )?fall|error al (?:enviar|entregar)|rechazado',
    'mancato recapito|mancata consegna|non recapitabile|consegna .{0,20}(?:fallita|non riuscita)|messaggio non (?:recapitato|consegnato)|impossibile recapitare|errore di (?:consegna|recapito)|non .{0,15}(?:consegnato|recapitato)|notifica di mancat',
    'n.o entregue|falha (?:na|de) entrega|n.o foi entregue|n.o p.de ser entregue|devolvid|erro de entrega|falha ao entregar|imposs.vel entregar|mensagem n.o entregue',
    'niet (?:te )?(?:bezorg|afgelever)|onbestelbaar|kan niet worden bezorgd|bezorging mislukt|niet afgeleverd|kon niet worden (?:bezorgd|afgeleverd)|retour afzender',
    'niedostarcz|nie dostarcz|nie mo.na dostarczy|zwrot|niepowodzenie dostarczenia|b..d dostarcz|nieudane dostarcz|nie zosta.a? dostarcz',
    'kunde inte levereras|ej levererat|olevererbar|leveransfel|ikke leveret|kunne ikke leveres|kan ikke leveres|ikke levert|uleverbar|kuleveres|toimitus ep.onnistui|ei voitu toimittaa|palautettu',
    'nedoru.{1,2}en|nelze doru|doru.en. se nezda|teslim edilemedi|iletilemedi|nem k.zbes.t|kézbesíthetetlen|nelivr',
    'не доставлено|недоставлен|не удалось доставить|возвращено|ошибка доставки|не может быть доставлено|невозможно доставить|не было доставлено|недоставк|не доставлен|невручен|не вдалося доставити|недоставлене',
    '退信|投递失败|无法投递|無法傳遞|无法送达|未送达|傳遞失敗|配信不能|配信エラー|配送失敗|送信できませんでした|配信されません|届けられません|エラーメール|メールエラー|送信エラー|配送でき|配信できま|配達でき|配信不可|未達|系统退信|退回|投遞失敗|寄送失敗|傳送失敗|반송|전송 실패|배달되지',
  ].join('|'),
  'i',
);
/** Subjects of delay reports: the server still retries. */
const DELAY_SUBJECT =
  /^\W{0,3}(?:warning\b|delayed\b|delay\b|delivery delay|mail delivery delay|message delay|verz.{1,2}gert|zustellung verz|retard|retras|ritard|atras|vertraagd|op.{1,2}.nion)|\((?:delay|verz.{1,2}gerung|retard|retraso|ritardo|atraso)(?:ed)?\)|still being retried|delivery (?:status )?notification \(delay|message .{0,60}delayed (?:\d|for)|has been delayed\b|could not send message for past/i;
/** Subjects of absence notices and other automatic replies; the original subject may follow. */
const AUTO_REPLY_SUBJECT =
  /^\W{0,3}(?:auto(?:matic|mated|matisch\w*)?[- ]?(?:reply|response|re|answer|antwort|responder|acknowledg\w*)\b|auto:|out of (?:the )?office|ooo\b|away from|absen|abwesen|abwesenheit|r.ponse automatique|automatische antwort|automatisch antwoord|afwezig|respuesta autom|fuera de (?:la )?oficina|risposta automatica|fuori (?:sede|ufficio)|resposta autom|ausente|vacation|on (?:holiday|leave|vacation)|i am (?:away|out)|autosvar|automaattinen|odpowied. automatyczna|automatyczna odpowied|автоответ|автоматический ответ|自动回复|自動回覆|自動返信|自動応答|不在通知|不在のお知らせ|부재중|자동 ?(?:응답|회신)|respuesta de ausencia|message d.absence|je suis absent|estoy fuera|assente|nieobecno|frånvaro|frav.r|poissa|automatick|otomatik (?:yan|cevap)|автоматична в|risposta automatica|réponse auto|i.m (?:away|out|on)|autoreply|auto-?responder)/i;
/** Header fields of automatic replies. */
const AUTO_REPLY_FIELDS = [
  'x-autoreply',
  'x-autorespond',
  'x-auto-reply',
  'x-mail-autoreply',
  'x-vacation',
  'x-amazon-auto-reply',
];
/** Subject of a reply, in the languages of mail programs. */
const REPLY_SUBJECT = /^(?:re|aw|antw|sv|vs|rif|odp|res|ynt|回复|回覆|답장)\s?[:：]/i;
/** Subject of a reply or a forwarded mail; ticket systems put their numbers before it. */
const REPLY_OR_FORWARD_SUBJECT =
  /^(?:[[(][^\])]{0,60}[\])]\s*)?(?:re|aw|antw|sv|vs|rif|odp|res|ynt|fwd?|wg|tr|rv|réf?|回复|回覆|답장)\s?(?:[[(^]?\d{1,3}[\])]?)?\s?[:：]\s*(.+)$/is;
/** Senders of mail servers. */
const BOUNCE_SENDER =
  /mailer-?daemon|post[_-]?master|mail ?deliver|e-?mail delivery|mail-?daemon|microsoftexchange[0-9a-f]|^["']?(?:system administrator|systemadministrator|administrateur syst.me|amministratore di sistema|administrador del sistema)|bounce(?:s|d)?@|noreply@amazonworkmail/i;

/** Sentences in which mail servers say that a message was not delivered; used if the subject does not say it. */
const FAILURE_TEXT =
  /did not reach the following recipient|(?:could not|couldn.t|cannot|can.t|can not) be delivered to|unable to deliver (?:your |the |this )?(?:message|mail|e-?mail)|(?:wasn.t|was not) able to deliver your message|delivery to the following recipients? (?:has )?failed|(?:message|mail|e-?mail) (?:was|has) not (?:been )?delivered|had (?:trouble|permanent)(?: \w+)? (?:delivering|errors?)|following (?:address|recipient)(?:es|s|\(es\))? (?:failed|had)|error: invalid user address/i;
/** Sentences of delay reports. */
const DELAY_TEXT =
  /(?:will be|is being|still being) (?:re-?tried|attempted)|not yet been delivered|will (?:continue|keep|be retried|try)|warning (?:message )?only|do not need to resend|delivery attempts will|no action is required/i;

type Headers = ReadonlyMap<string, string>;

/** Classifies a mail without a delivery status. */
export function plainMailKind(
  headers: Headers,
  text: string,
  hasNullSender: boolean,
): 'bounce' | 'reply' | 'other' {
  const subject = decodeWords(headers.get('subject') ?? '');
  const isFromMailServer = hasServerSender(headers);
  if (isReplyToReport(headers, subject)) return 'reply';
  const isReport = hasReportMark(headers, text);
  if (!isReport && isAutoReply(headers, subject, isFromMailServer)) return 'reply';
  const isMachine = hasNullSender || isFromMailServer;
  const reportsFailure = isFromMailServer && FAILURE_TEXT.test(text) && !DELAY_TEXT.test(text);
  const isFailure = isReport || FAILURE_SUBJECT.test(subject) || reportsFailure;
  if (isMachine && isFailure && !isDelay(subject)) return 'bounce';
  return isMachine ? 'reply' : 'other';
}

/** True if the headers say that a mail server wrote the mail. */
export function isFromServer(headers: Headers): boolean {
  return hasServerSender(headers) || isMarkedReport(headers);
}

function hasServerSender(headers: Headers): boolean {
  return BOUNCE_SENDER.test(decodeWords(headers.get('from') ?? ''));
}

/** True if a header or the text identifies the mail as a report of a mail server. */
function hasReportMark(headers: Headers, text: string): boolean {
  // Reports of qmail begin with this sentence.
  return isMarkedReport(headers) || /^Hi\. This is the/m.test(text);
}

function isMarkedReport(headers: Headers): boolean {
  return headers.has('x-failed-recipients') || /multipart\/report/i.test(headers.get('content-type') ?? '');
}

/** True for a reply of a person or a ticket system to a report. It has the report's subject, often its text. */
function isReplyToReport(headers: Headers, subject: string): boolean {
  const original = REPLY_OR_FORWARD_SUBJECT.exec(subject)?.[1];
  if (original === undefined || isMarkedReport(headers)) return false;
  return FAILURE_SUBJECT.test(original) || DELAY_SUBJECT.test(original);
}

function isAutoReply(headers: Headers, subject: string, isFromMailServer: boolean): boolean {
  if (AUTO_REPLY_SUBJECT.test(subject)) return true;
  if (AUTO_REPLY_FIELDS.some((name) => headers.has(name))) return true;
  if (/auto_reply/i.test(headers.get('precedence') ?? '')) return true;
  // Mail servers also mark bounces as automatic replies, and some set In-Reply-To.
  const isMarked =
    /auto-replied/i.test(headers.get('auto-submitted') ?? '') ||
    headers.has('in-reply-to') ||
    REPLY_SUBJECT.test(subject);
  return isMarked && !isFromMailServer;
}

/** True for a delay report. The text after a colon is the subject of the original message. */
function isDelay(subject: string): boolean {
  const [start = ''] = subject.split(/: /, 1);
  const isFailure = FAILURE_SUBJECT.test(start) && !/notification$/i.test(start);
  return DELAY_SUBJECT.test(isFailure ? start : subject);
}

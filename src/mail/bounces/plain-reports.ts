/** Classifies a mail without a status report: a bounce, an automatic reply, or a message written by a person. */
import { decodeWords } from './encoded-words.ts';

/** Subjects of reports that a message did not arrive, in the languages of mail servers. */
const FAILURE_SUBJECT = new RegExp(
  [
    'undeliver(?:ed|able)|not (?:be )?delivered|failure notice|delivery (?:status )?(?:notification|failure|failed|problem|error|report)|(?:has|have) failed|returned (?:mail|to sender)|mail delivery (?:failed|failure|system|subsystem|error)|(?:message|mail|e-?mail) (?:delivery )?(?:failed|failure|returned|rejected|undeliverable)|could ?n.?t be delivered|could not be (?:delivered|sent)|message bounced|nondeliverable|non-?delivery|failed mail|bounce(?:d)? (?:mail|message|notification)|rejected mail',
    'unzustellbar|nicht zugestellt|zustellung .{0,30}fehlgeschlagen|fehlgeschlagene zustellung|unzustellbarkeit|zustellfehler|zustellbericht',
    'non remis|non remise|non distribu|chec de (?:la )?(?:remise|distribution|livraison)|avis de non|impossible de (?:remettre|livrer)|retourn. . l.exp',
    'no entregado|no se (?:ha )?(?:podido |puede |pudo )?entreg|error de entrega|fallo (?:en|de) (?:la )?entrega|no se pudo (?:enviar|entregar)|devuelto|mensaje no enviado|imposible entregar',
    'mancato recapito|mancata consegna|non recapitabile|consegna .{0,20}(?:fallita|non riuscita)|messaggio non (?:recapitato|consegnato)|impossibile recapitare',
    'n.o entregue|falha (?:na|de) entrega|n.o foi entregue|n.o p.de ser entregue|devolvid|erro de entrega',
    'niet (?:te )?(?:bezorg|afgelever)|onbestelbaar|kan niet worden bezorgd|bezorging mislukt|niet afgeleverd',
    'niedostarcz|nie dostarcz|nie mo.na dostarczy|zwrot|niepowodzenie dostarczenia',
    'kunde inte levereras|ej levererat|olevererbar|leveransfel|ikke leveret|kunne ikke leveres|kan ikke leveres|ikke levert|uleverbar|kuleveres|toimitus ep.onnistui|ei voitu toimittaa|palautettu',
    'nedoru.{1,2}en|nelze doru|doru.en. se nezda|teslim edilemedi|iletilemedi|nem k.zbes.t|kézbesíthetetlen|nelivr',
    'не доставлено|недоставлен|не удалось доставить|возвращено|ошибка доставки|не может быть доставлено|невозможно доставить',
    '退信|投递失败|无法投递|無法傳遞|无法送达|未送达|傳遞失敗|配信不能|配信エラー|配送失敗|送信できませんでした|配信されません|届けられません|エラーメール|반송|전송 실패|배달되지',
  ].join('|'),
  'i',
);
/** Subjects of delay reports: the server still retries. */
const DELAY_SUBJECT =
  /^\W{0,3}(?:warning\b|delayed\b|delay\b|delivery delay|mail delivery delay|message delay|verz.{1,2}gert|zustellung verz|retard|retras|ritard|atras|vertraagd|op.{1,2}.nion)|\((?:delay|verz.{1,2}gerung|retard|retraso|ritardo|atraso)(?:ed)?\)|still being retried|delivery (?:status )?notification \(delay|message .{0,60}delayed (?:\d|for)|has been delayed\b|could not send message for past/i;
/** Subjects of absence notices and other automatic replies; the original subject may follow. */
const ANSWER_SUBJECT =
  /^\W{0,3}(?:auto(?:matic|mated|matisch\w*)?[- ]?(?:reply|response|re|answer|antwort|responder|acknowledg\w*)\b|auto:|out of (?:the )?office|ooo\b|away from|absen|abwesen|abwesenheit|r.ponse automatique|automatische antwort|automatisch antwoord|afwezig|respuesta autom|fuera de (?:la )?oficina|risposta automatica|fuori (?:sede|ufficio)|resposta autom|ausente|vacation|on (?:holiday|leave|vacation)|i am (?:away|out)|autosvar|automaattinen|odpowied. automatyczna|automatyczna odpowied|автоответ|автоматический ответ|自动回复|自動返信|自動応答|자동 ?응답)/i;
const BOUNCE_SENDER =
  /mailer-?daemon|postmaster|mail ?delivery|mail-?daemon|microsoftexchange[0-9a-f]|^["']?(?:system administrator|systemadministrator|administrateur syst.me|amministratore di sistema|administrador del sistema)|bounce(?:s|d)?@|noreply@amazonworkmail/i;

type Headers = ReadonlyMap<string, string>;

/** Classifies a mail without a status report. */
export function plainKindOf(
  headers: Headers,
  text: string,
  hasNullSender: boolean,
): 'bounce' | 'answer' | 'other' {
  const subject = decodeWords(headers.get('subject') ?? '');
  const isFromMailServer = BOUNCE_SENDER.test(decodeWords(headers.get('from') ?? ''));
  const isReport = isReportBySigns(headers, text);
  if (!isReport && isAnswer(headers, subject, isFromMailServer)) return 'answer';
  const isMachine = hasNullSender || isFromMailServer;
  const isFailure = isReport || FAILURE_SUBJECT.test(subject);
  if (isMachine && isFailure && !isDelay(subject)) return 'bounce';
  return isMachine ? 'answer' : 'other';
}

/** True if a header or the text identifies the mail as a report of a mail server. */
function isReportBySigns(headers: Headers, text: string): boolean {
  return (
    headers.has('x-failed-recipients') ||
    /multipart\/report/i.test(headers.get('content-type') ?? '') ||
    /^Hi\. This is the/m.test(text)
  );
}

function isAnswer(headers: Headers, subject: string, isFromMailServer: boolean): boolean {
  if (ANSWER_SUBJECT.test(subject)) return true;
  if (headers.has('x-autoreply') || headers.has('x-autorespond') || headers.has('x-auto-reply')) return true;
  if (/auto_reply/i.test(headers.get('precedence') ?? '')) return true;
  // Mail servers also mark bounces as automatic replies, and some set In-Reply-To.
  const isMarked = /auto-replied/i.test(headers.get('auto-submitted') ?? '') || headers.has('in-reply-to');
  return isMarked && !isFromMailServer;
}

/** True for a delay report. The text after a colon is the subject of the original message. */
function isDelay(subject: string): boolean {
  const [start = ''] = subject.split(/: /, 1);
  const isFailure = FAILURE_SUBJECT.test(start) && !/notification$/i.test(start);
  return DELAY_SUBJECT.test(isFailure ? start : subject);
}

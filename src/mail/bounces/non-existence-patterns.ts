/** Patterns of replies about missing or closed mailboxes and missing domains (reply-patterns.ts). */
import type { ReplyPattern } from './reply-pattern.ts';

/** Names for a mailbox. */
const BOX =
  "(?:user ?name|user ?id|user|users|recipients?(?:'s)?|mail ?box(?:es)?|account|address(?:es)?|addressee|alias|inbox|member|person|customer|subscriber|spectator|local[- ]?part|maildrop|mail ?drop|mail user|e-?mail name|e-?mail|destinations?|rcpt|logon|login|name|one|people)";
/** Words for a missing mailbox. */
const ABSENT =
  "(?:unknown|not known|unallocated|not found|was not found|could ?n.?t be found|could not be found|cannot be found|can't be found|not (?:be )?(?:located|recogni[sz]ed)|not? exists?|(?:does|do|did)(?: not|n'?t) exists?|don'?t exists?|not exist(?:ing|ent)?|non-?existent|inexistent|no(?:t)? longer exists?|(?:is )?not (?:a |an )?(?:valid|known|existing|active|real|registered|local|current|listed|present|available|ok|here|our)(?: |\\b)|is (?:unknown|invalid|not known|wrong|bad|incorrect|nonexistent|misspelled)|is not (?:in|listed|on|hosted|recogni)|not (?:listed|present|in)|(?:marked as )?invalid|bad|missing|undeliverable)";

const pattern = (source: string, kind: ReplyPattern['kind'], ...alternatives: string[]): ReplyPattern => ({
  kind,
  source,
  words: new RegExp(alternatives.join('|')),
});

/** Replies about missing mailboxes and domains. */
export const NON_EXISTENCE_PATTERNS: readonly ReplyPattern[] = [
  pattern(
    'Exim, qmail, Postfix, sendmail, Google, bind: the domain',
    'no_domain',
    'host or domain name not found',
    '(?:host|domain|domain name)(?: \\(?@?[\\w.-]{1,255}\\)?)? (?:is )?(?:unknown|not found|not known|does(?: not|n.t) exist|not exist|must exist|non-?existent|could not be found|not valid)',
    '(?:unknown|no such|nonexistent|non-existent|non existent|unresolvable) (?:mail |destination |recipient |e-?mail |remote |host or )?(?:host|domain|system)',
    "couldn'?t find any host",
    '(?:no|without|has no|have no|any) (?:valid )?(?:mx|mail exchanger?)\\b|no mx\\b|null mx|mx record.{0,40}(?:not exist|non-existent|no hosts?)',
    '^invalid domain\\.?$|illegal host\\/domain',
    'domain name not found|name or service not known|does not accept mail|domain (?:has )?expired',
    'domain.{0,30}(?:existiert nicht|unbekannt|inexist|n.existe pas|no existe|non esiste)|域名不存在',
  ),
  pattern(
    'all servers: an unknown mailbox',
    'no_mailbox',
    `\\b${BOX}\\b[^.;]{0,60}?\\b${ABSENT}`,
    `(?:unknown|invalid|no such|no valid|non-?existent|not a valid|not a known|nonexistent|wrong|incorrect|undeliverable|unrecogni[sz]ed|bad|inexistent|unavailable|unreachable|no|illegal|unknown or illegal|unknown or invalid)(?: or unknown| or illegal| or invalid| or expired| \\/ unknown)? (?:local |virtual |destination |target |internet |the |delivery |final |mail |domain |this |that |intended |e-?mail |destin){0,6}(?:${BOX})\\b(?! (?:syntax|list|format))`,
  ),
  pattern(
    'Gmail, Yahoo, Outlook, Domino, Exchange, AOL, QQ',
    'no_mailbox',
    "does(?:n'?t| not) have an? (?:.{0,60}account|(?:\\w+ ){0,2}mail ?box(?!\\w| licen))|(?<!sender )(?:recipient|mailbox|user) unrecogni[sz]ed|cannot deliver mail for @|no (?:account|mail ?box) (?:here |exists? )?(?:by|with|for|of) (?:that|this) (?:name|address)|no mail ?box (?:here|found|available|exists)|not listed in (?:the )?(?:domino|public|name|address|global)?|(?:recip(?:ient)?not ?found|resolver\\.adr\\.(?:recip|ex|inval)|adr\\.recipnotfound|nosuchuser|userunknown|address_not_found)|not found by smtp address lookup|address not found|no one (?:by|with|at|here)|no ?body (?:by|with|here)|there is no one|no local mailbox|not (?:our|a) customer|not a user|unroute?able (?:address|recipient|mailbox|user)|unrouteable|undeliverable address|can'?t (?:accept|find|route) (?:user|recipient|mailbox|address)|unable to (?:find|locate|deliver to) (?:recipient|user|mailbox|address)|mailbox unavailable|unknown (?:to|at|in|here)|not known (?:here|at|to)|moved, no|badr(?:e)?c(?:i)?pt|validrcptto|has (?:been )?(?:moved|replaced)|blank mailhost|wrong or no longer|typo|misspell|mailbox name (?:not allowed|invalid)|does not like recipient|no home|missing home directory|(?<!you are )not (?:our|a local) user|user lookup success|no such (?:mail|person|people|name|id|local|addr)|not exist|user ?not ?found|recipient ?not ?found|not (?:a )?(?:user|member) of|ad?dressee unknown|(?:does|do)(?:n'?t| not) exist|no thank you rejected: account",
  ),
  pattern(
    'German, French, Spanish, Italian, Portuguese, Dutch, Polish, Nordic, Czech, Turkish, Russian, Chinese, Japanese servers',
    'no_mailbox',
    '(?:benutzer|empf.{1,2}nger|nutzer|postfach|adresse|konto|mailadresse)[^.;]{0,40}(?:unbekannt|nicht (?:bekannt|gefunden|vorhanden)|existiert nicht|ung.{1,2}ltig|gibt es nicht)|(?:unbekannter?|ung.{1,2}ltiger?|nichtexistente[rs]?|kein(?:e|en)? (?:solche[rns]? )?)(?: \\w+)? ?(?:benutzer|empf.{1,2}nger|nutzer|postfach|adresse|konto)|existiert (?:hier )?nicht|nicht gefunden wurde|(?:benutzer|empf.{1,2}nger|nutzer|postfach)[^.;]{0,30} nicht im .{0,30}verzeichnis',
    '(?:utilisateur|destinataire|adresse|compte|bo.{1,2}te)[^.;]{0,50}(?:inconnu|invalide|inexistant|n.existe pas|introuvable|non trouv)|n.existe (?:pas|plus)|n.a pas .{1,2}t.{1,2} trouv|(?:compte|bo.{1,2}te)(?: \\S+){0,3} (?:a .{1,2}t.{1,2}|est) (?:supprim|ferm|r.{1,2}sili|cl.{1,2}tur)',
    '(?:usuario|destinatario|direcci.{1,2}n|buz.{1,2}n|cuenta|casilla)[^.;]{0,50}(?:desconocid|no existe|inexistente|no encontrad|inv.{1,2}lid|no es v)|no existe (?:ese|dicha|el|la|esa|este|tal)|no existe$|destinatario errato|no se (?:ha )?(?:encontr|pudo encontrar|ha podido encontrar)[^.;]{0,30}(?:direcci|destinatari|usuari|buz|cuenta)|(?:cuenta|buz.{1,2}n)(?: \\S+){0,3} (?:ha sido|fue|est.{1,2}) (?:eliminad|cancelad|cerrad|dad[ao] de baja)',
    '(?:utente|destinatario|indirizzo|casella|destin\\.)[^.;]{0,50}(?:sconosciut|inesistente|non esiste|non trovat|non valid|disat)|nessun utente|non esiste|impossibile trovare (?:il |la |l.)?(?:destinat|casell|indirizz|utent)|(?:casella|account)(?: \\S+){0,3} .{1,2}(?: stat[oa])? (?:cancellat|eliminat|chius[ao])',
    '(?:usu.{1,2}rio|destinat.{1,2}rio|endere.{1,2}o|conta|caixa)[^.;]{0,50}(?:desconhecid|n.{1,2}o existe|inexistente|n.{1,2}o encontrad|inv.{1,2}lid)|n.{1,2}o existe',
    '(?:gebruiker|ontvanger|adres|mailbox|geadresseerde)[^.;]{0,40}(?:onbekend|bestaat niet|niet gevonden|ongeldig)|onbekende? (?:gebruiker|ontvanger|adres)|bestaat niet',
    'nie istnieje|nie ma takiego|nieznany (?:u.{1,2}ytkownik|odbiorca|adres)|nie znaleziono|u.{1,2}ytkownik.{0,20}nieznany|brak (?:takie\\S{1,3} )?(?:u.{1,2}ytkownika|skrzynki|konta|adresu)|(?:skrzynka|konto)(?: \\S+){0,3} (?:zosta.{1,2}[oa]?|jest) (?:usuni.{1,2}t|zamkni|zlikwidowan)',
    'finns inte|ok.{1,2}nd (?:mottagare|anv.{1,2}ndare)|findes ikke|ukendt (?:modtager|bruger)|finnes ikke|ukjent (?:mottaker|bruker)|tuntematon|ei ole olemassa|ei l.{1,2}ydy',
    'neexistuje|nezn.{1,2}m.{1,2} (?:u.{1,2}ivatel|p.{1,2}.?jemce)|bulunamad|mevcut de.{1,2}il|ge.{1,2}ersiz al|ismeretlen|nem l.{1,2}tezik|nu exist|inexistent',
    'не существует|не найден|неизвестн\\S* (?:пользовател|получател|адрес)|нет такого|не існує|не знайден',
    '不存在|未开通|無此|无此|没有该|查無|存在しま|存在しない|見つかりま|宛先不明|あて先不明|ディレクトリのリストにありません|(?:宛先|あて先|受信者|送信先)の?(?:メール)?アドレス(?:に誤り|が(?:間違|正しくありません))|없는|존재하지',
  ),
  pattern(
    'Yahoo, Gmail, mail.ru, AOL, GMX, Free, corporate servers: closed for good',
    'mailbox_closed',
    '(?:account|mail ?box|user|recipient|address|inbox|e-?mail(?: account| address)?)[^.;]{0,60}(?:disabled|inactive|in-active|deactivated|discontinued|closed|terminated|deleted|removed|cancell?ed|expired|no(?:t)? (?:longer|more)|inactiv|not activ|abandoned|retired|defunct|not in service)',
    'no longer (?:available|active|accepts?|works?|employed|exists?|valid|in (?:use|service)|with (?:us|the)|at |on |a )|(?:disabled|inactive|deactivated|closed|terminated|deleted|expired|abandoned|discontinued|obsolete) (?:user|account|mail ?box|recipient|address|e-?mail)|deaktiviert|gel.{1,2}scht|d.{1,2}sactiv|desactiv|disattivat|desativad|отключен|заблокирован|user is terminated|has left (?:the|our|this)|is (?:a )?deactivated',
  ),
];

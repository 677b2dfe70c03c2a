/** Patterns of rejections about the sender in languages other than English (reply-patterns.ts). */
import type { ReplyPattern } from './reply-pattern.ts';

/** Replies about quota, login, relaying and the sender in ten languages, from German to Chinese. */
export const LOCALISED_SENDER_PATTERNS: readonly ReplyPattern[] = [
  {
    kind: 'sending_quota',
    source: 'Hosting providers: limits of outgoing mail',
    words:
      /(?:versand|sende)-?(?:limit|kontingent|quota)|(?:limit|kontingent) (?:f.{1,2}r|der) ausgehende|zu viele (?:\w+ ){0,2}(?:gesendet|versendet|verschickt)|(?:quota|limite) d.envoi|trop de (?:messages|mails|courriels) envoy|limite (?:\w+ ){0,2}(?:de|di) (?:env.{1,2}os?|correos|invio|mensajes enviados|messaggi inviati)|l.{1,2}mite (?:\S+ ){0,2}(?:de env.{1,2}os?|de correos|de mensajes enviados)|cuota de env.{1,2}o|(?:correos|mensajes|envios|env.{1,2}os) (?:enviados )?por (?:hora|d.{1,2}a|minuto)|limit (?:wysy.{1,2}anych|wysy.{1,2}ki|wiadomo.{1,2}ci wychodz)|verzend-?(?:limiet|quotum)|лимит (?:на )?(?:отправ|исходящ)|送信(?:数|通数|制限|上限|回数)|(?:发送|发信|發送)(?:频率|数量|限制|太频繁|过于频繁|超)/,
  },
  {
    kind: 'login',
    source: 'Hosting providers: a login that is missing or failed',
    words:
      /authentifizierung (?:ist )?(?:erforderlich|fehlgeschlagen|notwendig|n.{1,2}tig)|anmeldung (?:ist )?(?:erforderlich|fehlgeschlagen)|(?:benutzername|passwort)[^.]{0,30}(?:falsch|ung.{1,2}ltig)|authentification (?:smtp )?(?:requise|n.{1,2}cessaire|obligatoire|.{1,2}chou|invalide|refus)|mot de passe|autenticaci.{1,2}n (?:smtp )?(?:requerida|necesaria|fallida)|requiere autenticaci|autenticazione (?:smtp )?(?:richiesta|necessaria|fallita)|autentica.{2,4}o (?:smtp )?(?:requerida|necess|obrigat|falhou)|requer autentica|uwierzytelni|authenticatie (?:is )?(?:vereist|mislukt|nodig)|(?:аутентификац|авторизац)|認証(?:が必要|に失敗|エラー|されていません)|(?:身份验证|身份認證|认证|認證)(?:失败|失敗|错误)|需要(?:身份)?(?:验证|认证)/,
  },
  {
    kind: 'relaying',
    source: 'Hosting providers: relaying',
    words:
      /relay(?:ing)?(?: ist| wird)? (?:nicht|verweigert|abgelehnt|verboten)|weiterleitung (?:nicht|verweigert)|relais (?:refus|interdit|non)|relay(?:ing)? (?:non |no |interdit|refus|negad|denegad|geweigerd|niet )|ретрансляц|中継(?:が|は|を|拒)/,
  },
  {
    kind: 'account',
    source: 'Hosting providers: the account that sends',
    words:
      /versand (?:ist |wurde )?(?:gesperrt|deaktiviert|blockiert)|(?:ihr|dein) (?:e-?mail-?)?(?:konto|account|postfach)[^.]{0,30}(?:gesperrt|blockiert|deaktiviert|gel.{1,2}scht|geschlossen|gek.{1,2}ndigt)|konto des absenders|votre (?:compte|abonnement|bo.{1,2}te)[^.]{0,30}(?:bloqu|suspend|d.{1,2}sactiv|supprim|ferm|r.{1,2}sili|cl.{1,2}tur)|compte (?:de l.|du )exp.{1,2}diteur|\b(?:su|tu) (?:cuenta|buz.{1,2}n)[^.]{0,30}(?:bloquead|suspendid|desactivad|eliminad|cancelad|cerrad|dad[ao] de baja)|cuenta del? (?:remitente|emisor)|(?:(?:tuo|suo|vostro) account|(?:tua|sua|vostra) casella)[^.]{0,30}(?:bloccat|sospes|disattiv|chius|cancellat|eliminat)|(?:account|casella) del mittente|sua conta[^.]{0,30}(?:bloquead|suspens|desativad|cancelad|exclu.{1,2}d|encerrad)|conta do remetente|(?:twoj[ea]|pa.{1,2}stwa) (?:konto|skrzynka)[^.]{0,30}(?:zablokowan|zawieszon|usuni.{1,2}t|zamkni|zlikwidowan)|(?:konto|skrzynka) nadawcy|uw account[^.]{0,30}(?:geblokkeerd|opgeschort|verwijderd|gesloten|opgezegd)|(?:ваш[аи]?) (?:аккаунт|уч[её]тная запись|ящик)[^.]{0,30}(?:заблокирован|отключ)|您的(?:账号|帐号|帐户|账户).{0,10}(?:冻结|停用|封)/,
  },
  {
    kind: 'sender_reputation',
    source: 'Orange, hosting providers: block lists',
    words:
      /(?:schwarze[nr]?|sperr) ?-?liste|liste noire|blacklist|incident de spam|adresse ip|lista (?:negra|nera)|czarn.{1,2} li.{1,2}ci?e|zwarte lijst|(?:su|la) (?:direcci.{1,2}n )?ip |(?:il (?:tuo|suo|vostro)|l)[ ']?indirizzo ip|(?:ihre|deine) ip\b|uw ip\b|ч[её]рн\S{0,3} спис|黑名单|黑名單|ブラックリスト/,
  },
  {
    kind: 'sender_identity',
    source: 'Hosting providers, Domino, Exchange: the sender address',
    words:
      /(?:absender|exp.{1,2}diteur|.{1,2}metteur|remitente|mittente|remetente|nadawca?|afzender|отправител\S{0,3}|送信者|送信元|差出人|发件人|发信人|寄件者)(?:-?adresse|adres|の?(?:メール)?アドレス|地址|邮箱)?[^.;]{0,30}(?:nicht|ung.{1,2}ltig|unbekannt|abgelehnt|gesperrt|blockiert|verweigert|verboten|non |pas |inconnu|invalid|refus|rejet|interdit|no |desconocid|rechazad|bloquead|n.{1,2}o |rejeitad|nie|odrzucon|geweigerd|ongeldig|niet|не |отклон|запрещ|拒|無効|不正|誤り|間違|正しくありません|无效|不存在|許可)|(?:ung.{1,2}ltiger|unbekannter|nieprawid.{1,2}owy|ongeldige|onbekende) (?:absender|nadawca|afzender)/,
  },
];

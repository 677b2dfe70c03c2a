/**
 * Patterns of rejections by kind. The first match decides, so the order matters. Patterns match a reply in lower case,
 * on one line, without codes, and with `@` in place of addresses. Repetitions are bounded, because replies are
 * untrusted. docs/decisions/0039-bounce-classification-by-text.md describes the method.
 */
import { LOCALISED_SENDER_PATTERNS } from './localised-sender-patterns.ts';
import { NON_EXISTENCE_PATTERNS } from './non-existence-patterns.ts';
import type { ReplyPattern } from './reply-pattern.ts';

/** Rejections that resemble those about the sender; checked first. */
const LIKE_SENDER: readonly ReplyPattern[] = [
  {
    kind: 'needs_smtputf8',
    source: 'Postfix, Exim, Exchange, RFC 6531: a server that does not support addresses beyond ASCII',
    words:
      /smtputf8|smtpsend\.utf8|utf-?8 (?:recipient |sender |header |e-?mail )?(?:address|message|header)|non-?ascii (?:e-?mail |local )?(?:address|part|header)|internationali[sz]ed (?:e-?mail |domain )?(?:address|header|mailbox)/,
  },
  {
    kind: 'no_domain',
    source: 'Gmail, IronPort, DragonFly: the name does not exist',
    words:
      /nxdomain|(?<!host or )domain name not found(?!.{0,80}try again)|lookup failure: host \S{1,255} not found/,
  },
  {
    kind: 'mailbox_closed',
    source: 'RFC 5248 status x.7.13 after RCPT',
    words: /recipient address rejected: user account disabled/,
  },
  {
    kind: 'network',
    source: 'Postfix: the address could not be probed',
    words: /recipient address rejected: unverified|unverified address: /,
  },
  {
    kind: 'network',
    source: 'Postfix: a connection that broke off, before the greeting (HELO) as well',
    words:
      /(?:lost connection|conversation) with .{0,100}(?:while|timed out)|connection (?:refused|reset|timed out|closed) by \[?[\w.:-]/,
  },
  {
    kind: 'policy',
    source: 'cPanel callouts, Google Groups: the address may not exist or may not be written to',
    words:
      /could not deliver mail to @.{0,20}the account or domain may not exist(?!.{0,200}sender)|the group you tried to contact/,
  },
  {
    kind: 'content',
    source: 'Gmail, Yahoo, IMail, Google Groups: the form or a link of the message',
    words:
      /duplicate header|multiple \w{1,40} headers|black ?-?listed (?:url|link|uri)|(?:url|link|uri)s? (?:in|of) (?:the |your |this )?(?:message|mail|e-?mail|body)|rejected due to spam classification/,
  },
  {
    kind: 'rate_limited',
    source: 'Gmail, Outlook, Exchange Online, GMX',
    words:
      /receiving mail (?:at a rate|too quickly)|(?:they|it|he|she|user|mailbox) can receive|recipient (?:has |have )?(?:exceeded|reached)|receiving (?:limit|rate|quota)|recipient thread limit|(?:recipient|user) is receiving|recipient.{0,20} rate limit|exceeded (?:its|their) (?:incoming|inbound)/,
  },
  {
    kind: 'policy',
    source: 'Exchange: who may write to a recipient',
    words:
      /tenant allow|recipient'?s'? (?:own |personal )?(?:block|black|deny) ?-?list|resolver\.rst\.(?:auth|notauth|rest|sender)|only accepts? (?:mail|messages|e-?mails?) from|not in (?:the )?(?:recipient|allowed senders)|(?:must|to) be authenticated to send (?:to|mail to) (?:this|the) (?:recipient|group|list)/,
  },
];

/** Rejections that concern the sender. */
const SENDER: readonly ReplyPattern[] = [
  ...LOCALISED_SENDER_PATTERNS,
  {
    kind: 'sending_quota',
    source: 'GoDaddy, OVH, Mailu, Tencent, Zoho, Stalwart, Exchange',
    words:
      /has sent (?:to )?too many|requests per second|recipients? (?:this|per|in an?|in one) (?:hour|day|minute)|sorry, too many (?:e-?mails|messages)|number of (?:rcpts?|recipients|messages|connections|mails) from your|submission rate|unusual sending activity|messages? per session|authenticates? too many|too many (?:nonmail|non-mail) commands/,
  },
  {
    kind: 'sending_quota',
    source: 'Gmail, cPanel, SES, SendGrid, Exchange Online, Yandex, hosting providers',
    words:
      /\b(?:hourly|daily|weekly|monthly|hour|24[- ]hours?|per[- ](?:second|minute|hour|day|month)|outgoing|outbound|sending|sender|send|relay|submission|smtp|recipient rate|sent|mailing|messages?|e-?mails?)['"]? (?:user |account |messages? |recipients? |e-?mails? |mail |sending |send |relay |smtp |rate |volume |count ){0,6}(?:limits?|quotas?|allowance|ratelimit)\b(?! on size)(?!.{0,20}(?:size|of the recipient))/,
  },
  {
    kind: 'sending_quota',
    source: 'cPanel, SES, Office 365, Mailgun, Brevo',
    words:
      /(?:exceeded|reached|hit|over|used up?|exceeds) (?:the |your |its |their |a |all |max(?:imum)? |allowed |number |of ){0,6}(?:hourly|daily|monthly|sending|outgoing|outbound|relay|submission|plan|24[- ]hour|e-?mails? (?:per|an|a|sent|allowed)|messages? (?:per|an|a|sent|allowed)|recipients? per)|(?:e-?mails?|messages?|mails?|recipients?)(?: sent)?(?: from you)? per (?:second|minute|hour|day|month)|(?:out of|no (?:more|remaining)|insufficient|not enough|maximum|exhausted|max) (?:e-?mail |sending |account |your ){0,6}credits?|credits? (?:exceeded|exhausted|exhaustion|used up|ran out|limit)|maximum sending rate|sending rate exceeded|throttling failure|exceeded (?:hour|day|daily|hourly) limit|submissionquota|tenant .{0,30}(?:threshold|limit|exceeded)|(?:sender|sending|sends?|from).{0,20}(?:frequency|rate)[- ]?(?:limit|exceed|too)|frequency limited|too frequent|too (?:much|many) (?:mails?|messages?|e-?mails?) (?:from|sent)|quota for (?:outgoing|outbound|sending|sent)|rate[- ]?limit(?:ed)? (?:exceed|reach)|you have sent|sending too (?:many|much|fast|quickly)|sent too (?:many|much)|too many (?:mails?|messages?|e-?mails?) (?:in|per|today|this)|only \d+ messages per|you(?:'ve| have)? (?:exceeded|reached|used)|number (?:of )?messages per|exceeded the max|wait to send|rate limit increase|over your (?:relay|sending)|too many (?:same|sessions|spams)|slow down|slower/,
  },
  {
    kind: 'account',
    source: 'SES, Mailgun, SendGrid, Office 365, hosting providers',
    words:
      /your access to (?:submit|send)|trial account|(?:\byour|sender'?s?|sending|smtp|relay|customer|senders'?) (?:\w+ ){0,2}(?:account|service|subscription|server|mailbox|access|organization|plan|domain|outbound|sending)(?: @)?(?: has been| have been| is| are| was| had been)? (?:currently |temporarily |permanently )?(?:not (?:yet )?(?:active|activated|enabled|approved)|suspended|disabled|blocked|locked|deactivated|paused|terminated|frozen|restricted|closed|pending|under review|inactive|expired|hacked|compromised|on hold|limited)|(?:e-?mail |mail )?(?:sending|outgoing mail|outbound mail)(?: \w+){0,3} (?:is |has been |was )?(?:paused|suspended|disabled|blocked)|account is (?:paused|under review)|accounts? (?:is |are )?for test purposes|sandbox|unpaid|payment|billing|overdue|upgrade (?:your|to)|outbound sender|outbound spam|spam abuse detected|banned sender|free accounts|pending approval|smtp (?:access|service|account) (?:is |has been |was )?(?:disabled|suspended|not enabled|denied)|disabled for (?:the|this) (?:tenant|mailbox|account)|user account disabled|subscription (?:has )?(?:expired|ended)|has been (?:hacked|compromised)|active subscription|sending tenant|account outbounds|(?:unavailable|disabled|blocked) for outbound/,
  },
  {
    kind: 'sender_authentication',
    source: 'Gmail, Yahoo, Outlook, Proofpoint, Mimecast',
    words:
      /\bspf\b|\bdkim\b|\bdmarc\b|unauthenticated (?:e-?mail|mail|message)|(?:sender|e-?mail|mail|message) is unauthenticated|does(?:n'?t| not) (?:allow|designate|permit).{0,40}(?:sending|send|sender|ip)|not (?:permitted|allowed|authorized) (?:by the domain owner|to send (?:mail |e-?mails? )?(?:from|for|on behalf))|originating ip|sender id\b|spoof|domain owner|sender policy framework|not passed validation|invalid ip for sending|mismatch(?:es)? (?:the )?client|authentication information|authentication checks/,
  },
  {
    kind: 'login',
    source: 'Postfix, Exim, Exchange, hMailServer, MailEnable, Courier',
    words:
      /authenticat(?:e|ion|ed)(?: is| was| has)? (?:required|needed|necessary|first|before|failed|failure|unsuccessful|credentials|mechanism|error|turned|rejected|not)|(?:requires?|required?|needs?|without|provide|use|using|enable|missing) (?:(?:valid|smtp|user|proper|an?|the|your|client) ){0,6}(?:authentication|auth\b|authenticat)|(?:must|need to|needs to|please|have to|should) (?:first )?(?:be )?(?:authenticate|log ?in|logged in|sign in|issue a starttls|check (?:for )?(?:your |new )?e?-?mail|turn on smtp auth|use (?:ssl|tls|smtp auth))|\bauth(?:entication)? (?:error|required|is required|failed|failure|fail)|smtp[- ]?auth|(?:not|un)[- ]?authenticated|(?:bad|invalid|incorrect|wrong) (?:user ?name|credentials|login|password|user or password|api key)|credentials|username and password|starttls|encryption (?:is )?(?:required|needed)|pop ?(?:3)? ?-?before ?-?smtp|login attempts|not authorized to perform|log in (?:via|with|to)|not logged in|send auth|you are not authorized to send (?:mail|e-?mails?)(?: from)? ?(?:this|until|$)|authorization (?:failed|required|grant|code)|login fail|(?:two|2)-?(?:step|factor)|application-specific password/,
  },
  {
    kind: 'sender_identity',
    source: 'SES, Postfix, SendGrid, Postmark, Exchange, Exim, Domino',
    words:
      /(?:address|domain|identity|identities|sender|from|email|e-mail)(?: @| [\w.-]+)? (?:is |are |has |have |was )?(?:not|n't) (?:been |yet )?(?:verified|registered|confirmed|authorized|authorised)|identit(?:y|ies) failed|not (?:a )?verified (?:sender|domain|identity|address)|unverified|verify your|(?:no )?sender signature|not owned by|own(?:ed)? by (?:another )?user|send(?:ing)?(?: mail| e-?mail)? (?:as|on behalf|from (?:this|that|the|unregistered))|sendas|permissions? to send|(?:not|n't) (?:authorized|allowed|permitted|able) to (?:send|use|submit)/,
  },
  {
    kind: 'sender_identity',
    source: 'Postfix, Exim, sendmail, qmail, Proofpoint, Courier',
    words:
      /\bsender(?:'s)? ?(?:e-?mail )?(?:address|domain|verify|verification|callout|callback)?(?: @| [\w.-]+)?(?: is| was| has been)? ?(?:: )?(?:verif|rejected|refused|denied|reject\b|invalid|unknown|does(?: not|n't)|not (?:found|valid|accepted|allowed|exist|verified|authorized|listed|recogni|local|pre-approved)|could not|cannot|can't|must|unvalidated|missing|needs|blocked|banned|mismatch|and)|(?:invalid|unknown|bad|bogus|unroutable|unrouteable|fake|forged|null|illegal|unresolvable|no|empty|missing)(?: e-?mail)? (?:envelope )?(?:sender|from\b|mail from|return[- ]?path)|(?:mail|envelope|header)[- ]?from\b.{0,40}(?:invalid|reject|refus|denied|not |does|must|mismatch|bad|unknown|missing|fail|block)|from(?: header|:| address| field| domain)?.{0,20}(?:is invalid|not (?:valid|allowed|verified|accepted|match)|missing|does not match|must (?:be|match|exist))|domain of sender|(?:denies|deny|rejects?|refuse[sd]?|block(?:s|ed)?) the sender|sender.{0,20} is not|envelope sender|badmailfrom|purported responsible|sender.{0,30}(?:black|block|ban|spammer|not exist|not resolve|must exist)|valid sender|from: domain|invalid domain, see|dns check failed|sender domain resolve/,
  },
  {
    kind: 'relaying',
    source: 'Postfix, sendmail, Exim, qmail, Exchange, IMail',
    words:
      /relay(?:ing)?(?: of| to| for| mail| access| from| through| via| by| is| this| @| [\w.-]+){0,4} ?(?:denied|not (?:permitted|allowed|authorized|authorised|enabled|supported|accepted)|prohibited|refused|rejected|forbidden|disabled|disallowed|blocked|restricted|check)|(?:to|not|no|won't|cannot|can't|denie[sd]|insecure|open|proxy|deny|refuse|reject:?|rejected:) ?relay|relayhost|rcpthosts?\b|as a relay|relay (?:server )?(?:access|client|host) (?:denied|unauthori)|we (?:do not|don't) (?:relay|handle mail for)|specified domain|not a gateway|not handled (?:here|by)|outside (?:of )?(?:our|local) domain|non-local (?:recipient|domain|address|e-?mail)|not (?:a )?local (?:host|domain)|no (?:smtp )?relay|no third-party|third[- ]party mail|not configured to (?:relay|accept mail for)|do(?:es)? not accept mail for|(?:domain|host) (?:is )?not (?:in (?:my|our)|hosted|served) /,
  },
  {
    kind: 'sender_reputation',
    source: 'Spamhaus users, Outlook, Gmail, Apple, IronPort, Comcast, web.de',
    words:
      /black ?-?list|block(?:ed)?[- ]?list|deny ?list|\brbls?\b|dnsbl|\bdbl\b|spamhaus|spamcop|sorbs|abuseat|cbl\.|barracudacentral|mailspike|senderbase|senderscore|cloudmark|invaluement|uceprotect|uribl|surbl|reputation|poor sender|\bptr\b|reverse[- ]?(?:dns|lookup|hostname)|\brdns\b|\bhelo\b|\behlo\b|dynamic ip|open proxy|user complaints|unexpected volume|excessive (?:user ?id |unknown )|sending spam|not (?:allowed|permitted|authorized) to connect|(?:for|to) your (?:ip|host|network)\b|(?:server|smarthost|relay) of your (?:isp|provider)|your country|ivmsip|ip name (?:lookup failed|possibly forged)|^invalid domain name|\bd?rbl\b|\b(?:sbl|xbl|pbl|spl)\b|\d (?:is )?listed (?:at|by|on)|symantec zodiac|too many (?:unknown|invalid|bad|errors|spam|unwanted|complaints)|dictionary attack|directory harvest|(?:mail|connections?|messages?|access|traffic) (?:not accepted |are |is |being |will |be |rejected |refused |denied |blocked |from |ip |address |server |your ){0,6}(?:from|by) (?:your |this |the |\[?\d)(?:ip|mail ?server|server|host|network|domain|\d)/,
  },
  {
    kind: 'sender_reputation',
    source: 'Outlook, Orange, Free, T-Online, Exim, Postfix, QQ',
    words:
      /(?:your|sending|sender'?s?|source|client|connecting|remote(?! server (?:returned|does|did))|bad|black|banned|originating|this) ?-?(?:mail )?(?:ip|mta|host|server|network|hostname|isp|ip address|ip addresses|mail server|remotehost|internet service provider)\b.{0,60}(?:reject|block|ban|refus|denied|deny|listed|abus|spam|not (?:allowed|permitted|accept|authori|whitelist)|suspicious|fail|prison|cannot|does|missing|invalid|without|must|hangup|confirm|looks)|\bip\b.{0,40}(?:blocked|bloqu|banned|rejected|listed|blacklisted|refused|in prison|not allowed|is hangup|abusive|denied|not accepted|low rep|in our)|(?:banned|bad|black|blocked|rejected|denied|invalid|forbidden)(?: sending| sender| source)? ip\b|\bip\b.{0,10} (?:check|profile)|client (?:host )?\[?.{0,60}(?:rejected|blocked|denied|refused|not)|part of their network|messages from \[?.{0,60}weren'?t sent|(?:domain|dns) (?:ptr|name).{0,10}resource record|bad dns|invalid dns|temporarily deferred due|source bloquee|rbl deny|forbidden by your ip|(?<!not )listed in|unauthori[sz]ed ip|spam sender|spammer|forgery|(?:due to|because of|reported|for) abuse|unusual (?:rate|amount|volume)|\(?rtr:|connecting ip|^ip[=:]|\(bl\)|block(?:ed)? for spam|temporarily deferred|access from ip|spam(?:ming)? (?:source|issues|network)|mail refused from|go away/,
  },
];

/** Rejections of this message, or temporary ones; checked before those about a missing mailbox. */
const MESSAGE: readonly ReplyPattern[] = [
  {
    kind: 'mailbox_full',
    source: 'Postfix, Dovecot, Exim, Yahoo, GMX, IronPort, localised servers',
    words:
      /over ?-?quota|\bquota\b|(?:mail ?box|inbox|mail ?folder|folder|account|recipient|user|maildrop|box|e-?mail|spool) .{0,40}\bfull\b(?!-)|\bfull (?:mail ?box|inbox)|^full\b|(?:exceed(?:s|ed|ing)?|over|out of|insufficient|not enough|no more|used up|exhausted|lacks?|without)(?: \w+){0,4} (?:disk|storage|space|mailbox size)|(?:disk|storage|space|mailbox size)(?: \w+){0,3} (?:full|exceeded|exhausted|used up|limit)|no space left|storage (?:allocation|space|limit)|mailbox (?:size )?(?:limit )?exceed|mailbox (?:is )?(?:too large|over)|mailbox would exceed|system full|too many messages on|speichervolumen|speicherplatz|postfach.{0,20}voll\b|kontingent|bo.{1,2}te.{0,30}pleine|archiv.{1,2}e|buz.{1,2}n.{0,30}lleno|cuota|casella.{0,20}piena|caixa.{0,30}cheia|cota\b|mailbox (?:zit )?vol\b|przepe|skrzynka.{0,20}pe|переполнен|ящик.{0,20}полон|квот|容量|空间不足|已满|いっぱい|満杯/,
  },
  {
    kind: 'mailbox_locked',
    source: 'Postfix, 163.com, SmarterMail, Domino, qmail, vpopmail',
    words:
      /temporar(?:y|il)|suspend|maintenance|(?:is|been|user|account|mailbox|currently) (?:locked|frozen|hangup|on hold)|account is locked|\bhangup\b|(?:try|retry|come back|resend|send) (?:it |again |your message ){0,6}(?:later|in \d|after)|again later|not (?:currently|presently)|\bcurrently (?:unavailable|not|disabled|inactive)|at this time|for the time being|unable to verify|recipient verification (?:problem|timeout)|vor.{1,2}bergehend|moment(?:an|ent)|временно|暂时|on vacation|busy\b/,
  },
  {
    kind: 'too_large',
    source: 'Postfix, Exchange, Gmail, sendmail',
    words:
      /(?:message|mail|e-?mail|data|header|attachment|content|letter) ?(?:size |length |line ){0,6}(?:is |was |are |has |too |exceeds? |that |which ){0,6}(?:too (?:large|big|long)|exceed|over (?:the )?(?:size|limit)|limit)|too (?:large|big) |(?:size|length) (?:limit )?(?:exceed|limit)|maximum (?:allowed )?(?:message |mail )?size|sizelimit|exceeds? (?:the )?(?:\w+ ){0,3}size|too much (?:mail )?data|nachricht.{0,20}gro.{1,2}\b|trop (?:volumineux|gros)|demasiado grande/,
  },
  {
    kind: 'content',
    source: 'SpamAssassin, Barracuda, Yandex, mail.ru, Zoho, Symantec, amavis',
    words:
      /\bspam\b|spam[- ]?(?:like|message|filter|check|assassin|content|url|detect|score|denied)|\bjunk|virus|malware|phish|trojan|unsolicited|unwanted (?:mail|message)|bulk[- ]?mail|mass[- ]?mail|suspicio|(?:content|message|mail|body|header|attachment|url|link|subject|charset|encoding|language|file)s? (?:was |is |were |are |has |been |type |name |part ){0,6}(?:rejected|denied|blocked|filtered|banned|not (?:allowed|permitted|rfc)|prohibited|contains|violat|malformed|improper|duplicate)|(?:rejected|blocked|banned|prohibited|denied|illegal|refused)(?: \w+){0,5} (?:content|attachment|url|characters|images)|score.{0,20}(?:upper|limit|too|exceed|above)|scored|message looks|low priority|not rfc|rfc ?(?:2822|5322|822)|\b8 ?-?bit\b|line too long|lone cr|bare lf|\bheaders? (?:are|is|error|not|missing)|message filtered|considered|identified|classified as|no thank|message not allowed/,
  },
  {
    kind: 'policy',
    source: 'Mimecast, Exchange, AOL, Yandex, GMX, Proofpoint, corporate gateways',
    words:
      /polic(?:y|ies)|administrative(?:ly)? (?:prohibit|den|block)|\bprohibit|security (?:reason|rule|setting|restriction)|organi[sz]ational? (?:setting|rule)|user rules?|recipient (?:preference|refus|block|id refuse)|(?:rejected|refused|blocked) by (?:the )?(?:recipient|user|addressee|customer|rule|filter)|by (?:the )?recipients?$|user (?:reject|refus|block|entry)|your message was rejected|does not want|refuses? to (?:accept|receive) (?:your|mail|messages|e-?mail from|this)|envelope (?:blocked|rejected)|block-?sen|customized-block|\bersbl|not (?:in|on)(?: \w+){0,3} (?:white|allow|safe)[- ]?list|gr[ea]y ?-?list|members?-only|non-?member|closed (?:mailing )?list|mailing list|moderat|subscribed|not accepting (?:mail|messages|e-?mail) (?:from|with)|only accepting|challenge|tls (?:is )?required|or access denied|unavailable or|may not exist|local (?:user )?only|access list|access rule|regeln|richtlinie|r.{1,2}gle|pol.{1,2}tica|политик|拒收|拒绝|keine berechtigung|autoris.{1,2}(?: .{1,2})? (?:lui )?(?:envoyer|poster|publier)|pas l.autorisation|(?:no tien(?:e|es)|sin) permiso|(?:non dispon|non hai|senza).{0,20}(?:autorizzazion|permess)|opr.{1,2}vn.{1,2}n|uprawnie|geen (?:toestemming|machtiging)|n.{1,2}o tem permiss|дозвол|разрешени|権限|權限|权限/,
  },
  {
    kind: 'network',
    source: 'Postfix, Exim, qmail, Exchange: routing, loops, lookups that failed for now',
    words:
      /timed? ?-?out|timeout|no route to host|connection (?:refused|reset|dropped|lost|closed|was)|connect to .{0,80}:|network (?:is )?unreachable|not reachable|unreachable|too many hops|hop count|mail ?loop|loops? back|routing loop|looping|servfail|dns (?:server|query|lookup)?(?: \w+)? ?(?:fail|error|timeout|unavailable)|lookup fail|temporary (?:lookup|dns)|host not found, try again|local (?:configuration|host)|point(?:s)? to local|config(?:uration)? error|unable to (?:establish|connect)|could ?n.?t (?:establish|connect)|establish an smtp|smtp connection|retry time|(?:message|delivery|queue|retry|time|timeout|envelope)(?: has| was| time|\.)? ?expired|delivery time|too old|queue too long/,
  },
];

/** Links to block lists. Used if no pattern matches, because some replies contain only a link. */
export const BLOCK_LIST_LINK =
  /\bhttps?:\/\/(?:[\w-]{1,63}\.){0,5}(?:spamhaus\.org|spamcop\.net|sorbs\.net|barracudanetworks\.com\/reputation|barracudacentral\.org|mail-abuse\.(?:com|org)|abuseat\.org|uceprotect\.net|invaluement\.com|spamrl\.com|mailspike\.(?:net|org)|manitu\.net|senderscore\.org|csi\.cloudmark\.com|ipcheck\.proofpoint\.com|support\.proofpoint\.com\/dnsbl|ipremoval\.sms\.symantec\.com|sender\.office\.com)/i;

/** All patterns in the order in which they are tried. */
export const REPLY_PATTERNS: readonly ReplyPattern[] = [
  ...LIKE_SENDER,
  ...SENDER,
  ...MESSAGE,
  ...NON_EXISTENCE_PATTERNS,
];

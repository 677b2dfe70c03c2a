/**
 * Sample bounces, reports and automatic replies in the formats of real mail systems, with invented names and hosts.
 * `TO` stands for our address that they are sent to.
 */

/** A sample and its expected meaning. */
export interface SampleMail {
  readonly name: string;
  /** Envelope sender; may be empty. */
  readonly from: string;
  readonly expected: 'hard' | 'soft' | 'complaint' | 'unsubscribe' | 'nothing';
  /** Expected part of the stored reason. */
  readonly reason?: string;
  readonly text: string;
}

const ORIGINAL_HEADERS = `Return-Path: <TO>
From: Shop <news@shop.test>
To: gone@example.com
Subject: 550 5.1.1 reasons to buy; unsubscribe
Message-ID: <1@shop.test>`;

/** Returns a multipart/report with this status block. */
function report(head: string, words: string, status: string, boundary = '==b=='): string {
  return `${head}
MIME-Version: 1.0
To: <TO>
Content-Type: multipart/report; report-type=delivery-status;
	boundary="${boundary}"

This is a MIME-encapsulated message.

--${boundary}
Content-Type: text/plain; charset=utf-8

${words}

--${boundary}
Content-Description: Delivery report
Content-Type: message/delivery-status

${status}

--${boundary}
Content-Description: Undelivered Message
Content-Type: message/rfc822

${ORIGINAL_HEADERS}

Buy now. Mailbox full of offers. 552 5.2.2

--${boundary}--
`;
}

const postfix = (status: string, diagnostic: string, action = 'failed') =>
  report(
    `From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied`,
    `This is the mail system at host mx.example.com.

I'm sorry to have to inform you that your message could not be delivered to one or more recipients.

<gone@example.com>: host mail.example.com[192.0.2.7] said: ${diagnostic} (in reply to RCPT TO command)`,
    `Reporting-MTA: dns; mx.example.com
X-Postfix-Queue-ID: 4D1F2
Arrival-Date: Mon,  6 Jan 2025 10:00:00 +0000 (UTC)

Final-Recipient: rfc822; gone@example.com
Original-Recipient: rfc822;gone@example.com
Action: ${action}
Status: ${status}
Remote-MTA: dns; mail.example.com
Diagnostic-Code: smtp; ${diagnostic}`,
  );

const feedback = (type: string, original = ORIGINAL_HEADERS) => `From: <feedback@isp.test>
To: <TO>
Subject: FW: 550 reasons
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="fb"

--fb
Content-Type: text/plain

This is an email abuse report for a message received from IP 192.0.2.1.

--fb
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1
Original-Rcpt-To: <gone@example.com>
Source-IP: 192.0.2.1

--fb
Content-Type: message/rfc822
Content-Disposition: inline

${original}

Hello.
--fb--
`;

/** All samples. */
export const SAMPLE_MAILS: readonly SampleMail[] = [
  {
    name: 'Postfix: unknown user',
    from: '',
    expected: 'hard',
    reason: 'User unknown',
    text: postfix('5.1.1', '550 5.1.1 <gone@example.com>: User unknown'),
  },
  {
    name: 'Postfix: full mailbox, permanently',
    from: '',
    expected: 'soft',
    text: postfix('5.2.2', '552 5.2.2 Mailbox is over quota'),
  },
  {
    name: 'Postfix: gave up after days',
    from: '',
    expected: 'soft',
    text: postfix('4.4.1', 'connect to mail.example.com[192.0.2.7]:25: Connection timed out'),
  },
  {
    name: 'Postfix: only delayed',
    from: '',
    expected: 'nothing',
    text: postfix('4.4.1', 'Connection timed out', 'delayed'),
  },
  {
    name: 'Postfix: delivered',
    from: '',
    expected: 'nothing',
    text: postfix('2.0.0', '250 2.0.0 Ok', 'delivered'),
  },
  {
    name: 'Postfix: blocked by reputation',
    from: '',
    expected: 'soft',
    text: postfix(
      '5.7.1',
      '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
    ),
  },
  {
    name: 'Gmail: no such account',
    from: '',
    expected: 'hard',
    reason: 'does not exist',
    text: report(
      'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nSubject: Delivery Status Notification (Failure)\nX-Failed-Recipients: gone@gmail.com',
      '** Address not found **',
      "Reporting-MTA: dns; googlemail.com\nArrival-Date: Mon, 06 Jan 2025 10:00:00 -0800 (PST)\n\nFinal-Recipient: rfc822; gone@gmail.com\nAction: failed\nStatus: 5.1.1\nRemote-MTA: dns; gmail-smtp-in.l.google.com. (2001:db8::1b)\nDiagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try\n 550-5.1.1 double-checking the recipient's email address",
    ),
  },
  {
    name: 'Gmail: over quota for days',
    from: '',
    expected: 'soft',
    text: report(
      'From: mailer-daemon@googlemail.com\nSubject: Delivery Status Notification (Failure)',
      '** Message not delivered **',
      "Reporting-MTA: dns; googlemail.com\n\nFinal-Recipient: rfc822; full@gmail.com\nAction: failed\nStatus: 4.2.2\nDiagnostic-Code: smtp; 452-4.2.2 The recipient's inbox is out of storage space.",
    ),
  },
  {
    name: 'Exchange Online: unknown recipient',
    from: '',
    expected: 'hard',
    text: report(
      'From: Microsoft Outlook <MicrosoftExchange329e@example.onmicrosoft.com>\nSubject: Undeliverable: Offers\nAuto-Submitted: auto-replied',
      "Your message to gone@example.com couldn't be delivered.",
      'Reporting-MTA: dns;AM0PR01.prod.exchangelabs.com\nReceived-From-MTA: dns;mx.shop.test\n\nFinal-Recipient: rfc822;gone@example.com\nAction: failed\nStatus: 5.1.10\nDiagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    ),
  },
  {
    name: 'Exchange: refused by a rule',
    from: '',
    expected: 'soft',
    text: report(
      'From: postmaster@example.com\nSubject: Unzustellbar: Angebote',
      'Ihre Nachricht wurde nicht zugestellt.',
      'Reporting-MTA: dns;ex01.example.local\n\nFinal-Recipient: rfc822;ada@example.com\nAction: failed\nStatus: 5.7.1\nDiagnostic-Code: smtp;550 5.7.1 RESOLVER.RST.AuthRequired; authentication required',
    ),
  },
  {
    name: 'Outlook.com: mailbox unavailable, without a status that says so',
    from: '',
    expected: 'hard',
    text: report(
      'From: postmaster@outlook.com\nSubject: Undeliverable',
      'Delivery has failed.',
      'Reporting-MTA: dns;SN1.protection.outlook.com\n\nFinal-Recipient: rfc822;gone@outlook.com\nAction: failed\nStatus: 5.5.0\nDiagnostic-Code: smtp;550 5.5.0 Requested action not taken: mailbox unavailable',
    ),
  },
  {
    name: 'Sendmail: unknown user, by the quoted code',
    from: '',
    expected: 'hard',
    text: report(
      'From: Mail Delivery Subsystem <MAILER-DAEMON@mx.example.com>\nSubject: Returned mail: see transcript for details\nAuto-Submitted: auto-generated (failure)',
      '   ----- The following addresses had permanent fatal errors -----\n<gone@example.com>\n    (reason: 550 5.1.1 <gone@example.com>... User unknown)',
      'Reporting-MTA: dns; mx.example.com\nReceived-From-MTA: DNS; shop.test\n\nFinal-Recipient: RFC822; gone@example.com\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: SMTP; 550 5.1.1 <gone@example.com>... User unknown',
    ),
  },
  {
    name: 'a report without a diagnostic',
    from: '',
    expected: 'hard',
    text: report(
      'From: MAILER-DAEMON@example.com\nSubject: Delivery failure',
      '550 No such user here',
      'Reporting-MTA: dns; example.com\n\nFinal-Recipient: rfc822; gone@example.com\nAction: Failed\nStatus: 5.1.1',
    ),
  },
  {
    name: 'a report in base64 with bare line feeds',
    from: '',
    expected: 'hard',
    text: report('From: MAILER-DAEMON@example.com\nSubject: failure', 'See below.', 'x', 'b64').replace(
      'Content-Type: message/delivery-status\n\nx',
      `Content-Type: message/delivery-status\nContent-Transfer-Encoding: base64\n\n${Buffer.from('Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822; gone@example.com\nAction: failed\nStatus: 5.1.1\n').toString('base64')}`,
    ),
  },
  {
    name: 'qmail',
    from: '',
    expected: 'hard',
    reason: 'no mailbox here by that name',
    text: `From: MAILER-DAEMON@example.com
To: TO
Subject: failure notice

Hi. This is the qmail-send program at example.com.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<gone@example.com>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

${ORIGINAL_HEADERS}

452 4.2.2 is our favourite number
`,
  },
  {
    name: 'Exim, in its own words',
    from: '',
    expected: 'hard',
    reason: 'Unrouteable address',
    text: `X-Failed-Recipients: gone@example.com
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@example.com>
To: TO
Subject: Mail delivery failed: returning message to sender

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  gone@example.com
    Unrouteable address

------ This is a copy of the message, including all the headers. ------

${ORIGINAL_HEADERS}

over quota
`,
  },
  {
    name: 'Exim: a full mailbox',
    from: '',
    expected: 'soft',
    text: `X-Failed-Recipients: full@example.com
From: Mail Delivery System <Mailer-Daemon@example.com>
To: TO
Subject: Mail delivery failed: returning message to sender

The following address(es) failed:

  full@example.com
    SMTP error from remote mail server after RCPT TO:<full@example.com>:
    host mail.example.com [192.0.2.5]: 552 5.2.2 mailbox is full
`,
  },
  {
    name: 'a delay reported in plain text',
    from: '',
    expected: 'nothing',
    text: `From: Mail Delivery System <Mailer-Daemon@example.com>
To: TO
Subject: Warning: message delayed 24 hours

Your message could not yet be delivered: 451 4.3.0 try later
`,
  },
  {
    name: 'a gateway that writes HTML and comes from somebody',
    from: 'postmaster@gateway.test',
    expected: 'hard',
    text: `From: "Postmaster" <postmaster@gateway.test>
To: TO
Subject: Undeliverable mail
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<html><style>p{margin:5.1.1}</style><p>Delivery to <b>gone@example.com</b> failed:<br>
550 =35.1.1 The recipient does not exist</p></html>
`,
  },
  {
    name: 'an answer of somebody who is away',
    from: 'ada@example.com',
    expected: 'nothing',
    text: `From: Ada <ada@example.com>
To: TO
Subject: Out of office
Auto-Submitted: auto-replied

I am away until 5.1.1. Urgent: 550-123.
`,
  },
  {
    name: 'an answer of a vacation program to nobody',
    from: '',
    expected: 'nothing',
    text: `From: Ada <ada@example.com>
To: TO
Subject: Re: Offers
Auto-Submitted: auto-replied (vacation)

I will answer when I am back.
`,
  },
  { name: 'a feedback report', from: 'feedback@isp.test', expected: 'complaint', text: feedback('abuse') },
  { name: 'a feedback report of fraud', from: '', expected: 'complaint', text: feedback('fraud') },
  { name: 'a feedback report that it is no spam', from: '', expected: 'nothing', text: feedback('not-spam') },
  {
    name: 'a feedback report that asks to opt out',
    from: '',
    expected: 'unsubscribe',
    text: feedback('opt-out'),
  },
  {
    name: 'a person who writes to a bounce address',
    from: 'ada@example.com',
    expected: 'nothing',
    text: 'From: ada@example.com\nTo: TO\nSubject: unsubscribe\n\nPlease stop. 550 5.1.1\n',
  },
  { name: 'nothing at all', from: '', expected: 'nothing', text: '\n' },
];

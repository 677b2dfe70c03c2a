import { englishTexts, type PageTexts } from './page-texts.ts';

/** The page's own texts by primary language subtag (RFC 5646). */
const translations: Readonly<Record<string, PageTexts>> = {
  en: englishTexts,
  de: {
    sending: 'Ihre Antworten werden gesendet…',
    sent: 'Vielen Dank. Ihre Antworten wurden gesendet.',
    notSent:
      'Ihre Antworten konnten nicht gesendet werden. Sie sind noch da: Prüfen Sie die Verbindung und drücken Sie die Schaltfläche noch einmal.',
    refused:
      'Ihre Antworten wurden nicht angenommen. Bitte prüfen Sie sie und drücken Sie die Schaltfläche noch einmal.',
    unproved:
      'Das Senden hat zu lange gedauert. Ihre Antworten sind noch da: Bitte drücken Sie die Schaltfläche noch einmal.',
    checkAnswers: 'Bitte prüfen Sie die markierten Antworten und drücken Sie die Schaltfläche noch einmal.',
    formClosed:
      'Dieses Formular nimmt keine Antworten mehr an. Ihre sind noch da, falls Sie sie kopieren möchten.',
    tooLarge: 'Ihre Antworten sind zu groß, um gesendet zu werden. Bitte wählen Sie kleinere Dateien.',
    tooMany:
      'Es werden zu viele Antworten gesendet. Ihre sind noch da: Warten Sie etwa {seconds} Sekunden und drücken Sie die Schaltfläche noch einmal.',
    continueLink: 'Weiter',
    emailAddress: 'E-Mail-Adresse',
    pageOf: 'Seite {page} von {pages}',
    needsScript: 'Dieses Formular braucht JavaScript. Bitte schalten Sie es ein und laden Sie die Seite neu.',
    absentTitle: 'Dieses Formular ist nicht verfügbar',
    absentText:
      'Vielleicht wurde es geschlossen, oder die Adresse stimmt nicht. Bitte fragen Sie die Seite, die Sie hierher geführt hat.',
  },
  fr: {
    sending: 'Envoi de vos réponses…',
    sent: 'Merci. Vos réponses ont été envoyées.',
    notSent:
      'Vos réponses n’ont pas pu être envoyées. Elles sont toujours là : vérifiez votre connexion, puis appuyez de nouveau sur le bouton.',
    refused:
      'Vos réponses n’ont pas été acceptées. Veuillez les vérifier et appuyer de nouveau sur le bouton.',
    unproved:
      'L’envoi a pris trop de temps. Vos réponses sont toujours là : veuillez appuyer de nouveau sur le bouton.',
    checkAnswers: 'Veuillez vérifier les réponses signalées et appuyer de nouveau sur le bouton.',
    formClosed:
      'Ce formulaire n’accepte plus de réponses. Les vôtres sont toujours là si vous souhaitez les copier.',
    tooLarge: 'Vos réponses sont trop volumineuses. Veuillez choisir des fichiers plus petits.',
    tooMany:
      'Trop de réponses sont envoyées. Les vôtres sont toujours là : attendez environ {seconds} secondes, puis appuyez de nouveau sur le bouton.',
    continueLink: 'Continuer',
    emailAddress: 'Adresse e-mail',
    pageOf: 'Page {page} sur {pages}',
    needsScript: 'Ce formulaire nécessite JavaScript. Veuillez l’activer et recharger la page.',
    absentTitle: 'Ce formulaire n’est pas disponible',
    absentText:
      'Il a peut-être été fermé, ou l’adresse est erronée. Veuillez vous adresser au site qui vous a conduit ici.',
  },
  es: {
    sending: 'Enviando sus respuestas…',
    sent: 'Gracias. Sus respuestas se han enviado.',
    notSent:
      'No se han podido enviar sus respuestas. Siguen aquí: compruebe la conexión y pulse el botón de nuevo.',
    refused: 'Sus respuestas no se han aceptado. Revíselas y pulse el botón de nuevo.',
    unproved: 'El envío ha tardado demasiado. Sus respuestas siguen aquí: pulse el botón de nuevo.',
    checkAnswers: 'Revise las respuestas marcadas y pulse el botón de nuevo.',
    formClosed: 'Este formulario ya no acepta respuestas. Las suyas siguen aquí por si desea copiarlas.',
    tooLarge: 'Sus respuestas ocupan demasiado para enviarse. Elija archivos más pequeños.',
    tooMany:
      'Se están enviando demasiadas respuestas. Las suyas siguen aquí: espere unos {seconds} segundos y pulse el botón de nuevo.',
    continueLink: 'Continuar',
    emailAddress: 'Correo electrónico',
    pageOf: 'Página {page} de {pages}',
    needsScript: 'Este formulario necesita JavaScript. Actívelo y vuelva a cargar la página.',
    absentTitle: 'Este formulario no está disponible',
    absentText:
      'Puede que se haya cerrado o que la dirección no sea correcta. Pregunte en el sitio que le ha traído aquí.',
  },
  it: {
    sending: 'Invio delle risposte in corso…',
    sent: 'Grazie. Le risposte sono state inviate.',
    notSent:
      'Non è stato possibile inviare le risposte. Sono ancora qui: controlli la connessione e prema di nuovo il pulsante.',
    refused: 'Le risposte non sono state accettate. Le controlli e prema di nuovo il pulsante.',
    unproved: 'L’invio ha richiesto troppo tempo. Le risposte sono ancora qui: prema di nuovo il pulsante.',
    checkAnswers: 'Controlli le risposte evidenziate e prema di nuovo il pulsante.',
    formClosed: 'Questo modulo non accetta più risposte. Le sue sono ancora qui, se desidera copiarle.',
    tooLarge: 'Le risposte sono troppo grandi per essere inviate. Scelga file più piccoli.',
    tooMany:
      'Vengono inviate troppe risposte. Le sue sono ancora qui: attenda circa {seconds} secondi e prema di nuovo il pulsante.',
    continueLink: 'Continua',
    emailAddress: 'Indirizzo e-mail',
    pageOf: 'Pagina {page} di {pages}',
    needsScript: 'Questo modulo richiede JavaScript. Lo attivi e ricarichi la pagina.',
    absentTitle: 'Questo modulo non è disponibile',
    absentText:
      'Potrebbe essere stato chiuso, oppure l’indirizzo è errato. Si rivolga al sito da cui proviene.',
  },
  nl: {
    sending: 'Uw antwoorden worden verzonden…',
    sent: 'Bedankt. Uw antwoorden zijn verzonden.',
    notSent:
      'Uw antwoorden konden niet worden verzonden. Ze staan er nog: controleer de verbinding en druk nogmaals op de knop.',
    refused: 'Uw antwoorden zijn niet geaccepteerd. Controleer ze en druk nogmaals op de knop.',
    unproved: 'Het verzenden duurde te lang. Uw antwoorden staan er nog: druk nogmaals op de knop.',
    checkAnswers: 'Controleer de gemarkeerde antwoorden en druk nogmaals op de knop.',
    formClosed: 'Dit formulier accepteert geen antwoorden meer. De uwe staan er nog als u ze wilt kopiëren.',
    tooLarge: 'Uw antwoorden zijn te groot om te verzenden. Kies kleinere bestanden.',
    tooMany:
      'Er worden te veel antwoorden verzonden. De uwe staan er nog: wacht ongeveer {seconds} seconden en druk nogmaals op de knop.',
    continueLink: 'Doorgaan',
    emailAddress: 'E-mailadres',
    pageOf: 'Pagina {page} van {pages}',
    needsScript: 'Dit formulier heeft JavaScript nodig. Schakel het in en laad de pagina opnieuw.',
    absentTitle: 'Dit formulier is niet beschikbaar',
    absentText:
      'Misschien is het gesloten of klopt het adres niet. Vraag het na bij de site die u hierheen leidde.',
  },
  pt: {
    sending: 'A enviar as suas respostas…',
    sent: 'Obrigado. As suas respostas foram enviadas.',
    notSent:
      'Não foi possível enviar as suas respostas. Elas continuam aqui: verifique a ligação e prima o botão de novo.',
    refused: 'As suas respostas não foram aceites. Verifique-as e prima o botão de novo.',
    unproved: 'O envio demorou demasiado. As suas respostas continuam aqui: prima o botão de novo.',
    checkAnswers: 'Verifique as respostas assinaladas e prima o botão de novo.',
    formClosed: 'Este formulário já não aceita respostas. As suas continuam aqui, caso as queira copiar.',
    tooLarge: 'As suas respostas são demasiado grandes para enviar. Escolha ficheiros mais pequenos.',
    tooMany:
      'Estão a ser enviadas demasiadas respostas. As suas continuam aqui: espere cerca de {seconds} segundos e prima o botão de novo.',
    continueLink: 'Continuar',
    emailAddress: 'Endereço de e-mail',
    pageOf: 'Página {page} de {pages}',
    needsScript: 'Este formulário precisa de JavaScript. Ative-o e recarregue a página.',
    absentTitle: 'Este formulário não está disponível',
    absentText:
      'Pode ter sido encerrado ou o endereço pode estar errado. Pergunte ao site que o trouxe aqui.',
  },
  pl: {
    sending: 'Wysyłanie odpowiedzi…',
    sent: 'Dziękujemy. Odpowiedzi zostały wysłane.',
    notSent: 'Nie udało się wysłać odpowiedzi. Nadal tu są: sprawdź połączenie i naciśnij przycisk ponownie.',
    refused: 'Odpowiedzi nie zostały przyjęte. Sprawdź je i naciśnij przycisk ponownie.',
    unproved: 'Wysyłanie trwało zbyt długo. Odpowiedzi nadal tu są: naciśnij przycisk ponownie.',
    checkAnswers: 'Sprawdź zaznaczone odpowiedzi i naciśnij przycisk ponownie.',
    formClosed: 'Ten formularz nie przyjmuje już odpowiedzi. Twoje nadal tu są, możesz je skopiować.',
    tooLarge: 'Odpowiedzi są zbyt duże, aby je wysłać. Wybierz mniejsze pliki.',
    tooMany:
      'Wysyłanych jest zbyt wiele odpowiedzi. Twoje nadal tu są: odczekaj około {seconds} s i naciśnij przycisk ponownie.',
    continueLink: 'Dalej',
    emailAddress: 'Adres e-mail',
    pageOf: 'Strona {page} z {pages}',
    needsScript: 'Ten formularz wymaga JavaScriptu. Włącz go i odśwież stronę.',
    absentTitle: 'Ten formularz jest niedostępny',
    absentText: 'Mógł zostać zamknięty albo adres jest błędny. Zapytaj w witrynie, z której tu trafiono.',
  },
  ja: {
    sending: '回答を送信しています…',
    sent: 'ありがとうございます。回答を送信しました。',
    notSent:
      '回答を送信できませんでした。入力内容は残っています。接続を確認して、もう一度ボタンを押してください。',
    refused: '回答を受け付けられませんでした。内容を確認して、もう一度ボタンを押してください。',
    unproved: '送信に時間がかかりすぎました。入力内容は残っています。もう一度ボタンを押してください。',
    checkAnswers: '印の付いた回答を確認して、もう一度ボタンを押してください。',
    formClosed: 'このフォームの受付は終了しました。入力内容は残っているので、コピーできます。',
    tooLarge: '回答のサイズが大きすぎて送信できません。小さいファイルを選んでください。',
    tooMany:
      '送信が集中しています。入力内容は残っています。約{seconds}秒待ってから、もう一度ボタンを押してください。',
    continueLink: '続ける',
    emailAddress: 'メールアドレス',
    pageOf: '{pages}ページ中{page}ページ',
    needsScript: 'このフォームにはJavaScriptが必要です。有効にしてページを再読み込みしてください。',
    absentTitle: 'このフォームは利用できません',
    absentText:
      '受付が終了したか、アドレスが間違っている可能性があります。リンク元のサイトにお問い合わせください。',
  },
  ar: {
    sending: 'جارٍ إرسال إجاباتك…',
    sent: 'شكرًا لك. تم إرسال إجاباتك.',
    notSent: 'تعذّر إرسال إجاباتك. ما زالت هنا: تحقق من الاتصال ثم اضغط الزر مرة أخرى.',
    refused: 'لم تُقبل إجاباتك. يرجى مراجعتها ثم الضغط على الزر مرة أخرى.',
    unproved: 'استغرق الإرسال وقتًا أطول من اللازم. ما زالت إجاباتك هنا: يرجى الضغط على الزر مرة أخرى.',
    checkAnswers: 'يرجى مراجعة الإجابات المحددة ثم الضغط على الزر مرة أخرى.',
    formClosed: 'لم يعد هذا النموذج يقبل إجابات. ما زالت إجاباتك هنا إن أردت نسخها.',
    tooLarge: 'إجاباتك أكبر من أن تُرسل. يرجى اختيار ملفات أصغر.',
    tooMany:
      'يجري إرسال عدد كبير من الإجابات. ما زالت إجاباتك هنا: انتظر نحو {seconds} ثانية ثم اضغط الزر مرة أخرى.',
    continueLink: 'متابعة',
    emailAddress: 'البريد الإلكتروني',
    pageOf: 'الصفحة {page} من {pages}',
    needsScript: 'يحتاج هذا النموذج إلى JavaScript. يرجى تفعيله وإعادة تحميل الصفحة.',
    absentTitle: 'هذا النموذج غير متاح',
    absentText: 'ربما أُغلق أو أن العنوان غير صحيح. يرجى سؤال الموقع الذي أحالك إلى هنا.',
  },
};

/** Returns the page's texts in a language, with English as fallback. */
export function textsIn(language: string): PageTexts {
  const [primary = ''] = language.toLowerCase().split('-');
  return Object.hasOwn(translations, primary) ? (translations[primary] ?? englishTexts) : englishTexts;
}

/** What pages say that stand in place of a session's: no page carries these along. */
interface RefusalMessages {
  readonly lostTitle: string
  readonly lostNext: string
  readonly endedTitle: string
  readonly endedNext: string
  readonly oftenTitle: string
  readonly oftenNext: string
  readonly awayTitle: string
  readonly awayNext: string
  readonly again: string
}

export const REFUSALS = {
  en: {
    lostTitle: 'This page doesn’t exist',
    lostNext:
      'Check the link, or ask the merchant for a new one. If you sent money, it is not lost: the merchant can see it.',
    endedTitle: 'This link no longer accepts payments',
    endedNext:
      'It has reached its payment limit or has expired. Ask the merchant for a new link. If you sent money, it is not lost: the merchant can see it.',
    oftenTitle: 'Too many requests',
    oftenNext:
      'Your network requested too many payment pages. Try again in {time}. Payments you already sent are not affected.',
    awayTitle: 'This page is unavailable right now',
    awayNext:
      'The problem is on our side. Try again in a minute. Payments you already sent are not lost.',
    again: 'Try again',
  },
  de: {
    lostTitle: 'Diese Seite gibt es nicht',
    lostNext:
      'Prüfen Sie den Link oder bitten Sie den Händler um einen neuen. Haben Sie Geld gesendet, ist es nicht verloren: Der Händler sieht es.',
    endedTitle: 'Dieser Link nimmt keine Zahlungen mehr an',
    endedNext:
      'Die maximale Anzahl Zahlungen ist erreicht, oder der Link ist abgelaufen. Bitten Sie den Händler um einen neuen. Haben Sie Geld gesendet, ist es nicht verloren: Der Händler sieht es.',
    oftenTitle: 'Zu viele Anfragen',
    oftenNext:
      'Ihr Netzwerk hat zu viele Bezahlseiten aufgerufen. Versuchen Sie es in {time} erneut. Bereits gesendete Zahlungen sind nicht betroffen.',
    awayTitle: 'Diese Seite ist gerade nicht verfügbar',
    awayNext:
      'Das Problem liegt bei uns. Versuchen Sie es in einer Minute erneut. Bereits gesendete Zahlungen sind nicht verloren.',
    again: 'Erneut versuchen',
  },
  es: {
    lostTitle: 'Esta página no existe',
    lostNext:
      'Quizá el enlace esté mal escrito, o el pago terminó hace mucho. Pida a la tienda un enlace nuevo. Si ha enviado dinero, no se ha perdido: la tienda lo ve.',
    endedTitle: 'Este enlace ya no admite pagos',
    endedNext:
      'Se ha usado tantas veces como se permite, o su plazo ha terminado. Pida a la tienda un enlace nuevo. Si ha enviado dinero, no se ha perdido: la tienda lo ve.',
    oftenTitle: 'Demasiadas visitas a la vez',
    oftenNext:
      'Su red ha pedido páginas de pago muchas veces. Espere {time} e inténtelo de nuevo. Lo que ya ha enviado no se ve afectado.',
    awayTitle: 'Ahora mismo no se puede mostrar esta página',
    awayNext:
      'El fallo es nuestro. Inténtelo de nuevo en un minuto. Lo que ya ha enviado no se ha perdido: se contará en cuanto esto vuelva a funcionar.',
    again: 'Intentar de nuevo',
  },
  fr: {
    lostTitle: 'Cette page n’existe pas',
    lostNext:
      'Le lien est peut-être mal écrit, ou le paiement est terminé depuis longtemps. Demandez un nouveau lien à la boutique. Si vous avez envoyé de l’argent, il n’est pas perdu : la boutique le voit.',
    endedTitle: 'Ce lien n’accepte plus de paiements',
    endedNext:
      'Il a servi autant de fois que prévu, ou son délai est passé. Demandez un nouveau lien à la boutique. Si vous avez envoyé de l’argent, il n’est pas perdu : la boutique le voit.',
    oftenTitle: 'Trop de visites à la fois',
    oftenNext:
      'Votre réseau a demandé très souvent des pages de paiement. Attendez {time} et réessayez. Ce que vous avez déjà envoyé n’est pas concerné.',
    awayTitle: 'Cette page ne peut pas s’afficher pour l’instant',
    awayNext:
      'L’erreur vient de nous. Réessayez dans une minute. Ce que vous avez déjà envoyé n’est pas perdu : ce sera compté dès que tout remarchera.',
    again: 'Réessayer',
  },
  pt: {
    lostTitle: 'Esta página não existe',
    lostNext:
      'Talvez o link esteja errado, ou o pagamento terminou há muito tempo. Peça um novo link à loja. Se você enviou dinheiro, ele não se perdeu: a loja o vê.',
    endedTitle: 'Este link não aceita mais pagamentos',
    endedNext:
      'Ele foi usado tantas vezes quanto podia, ou o prazo acabou. Peça um novo link à loja. Se você enviou dinheiro, ele não se perdeu: a loja o vê.',
    oftenTitle: 'Visitas demais ao mesmo tempo',
    oftenNext:
      'Sua rede pediu páginas de pagamento muitas vezes. Espere {time} e tente de novo. O que você já enviou não é afetado.',
    awayTitle: 'Esta página não pode ser exibida agora',
    awayNext:
      'A falha é nossa. Tente de novo em um minuto. O que você já enviou não se perdeu: será contado assim que tudo voltar a funcionar.',
    again: 'Tentar de novo',
  },
  it: {
    lostTitle: 'Questa pagina non esiste',
    lostNext:
      'Forse il link è sbagliato, o il pagamento è finito da tempo. Chiedi al negozio un nuovo link. Se hai inviato denaro, non è perso: il negozio lo vede.',
    endedTitle: 'Questo link non accetta più pagamenti',
    endedNext:
      'È stato usato quante volte era previsto, o il suo tempo è finito. Chiedi al negozio un nuovo link. Se hai inviato denaro, non è perso: il negozio lo vede.',
    oftenTitle: 'Troppe visite insieme',
    oftenNext:
      'La tua rete ha chiesto pagine di pagamento molto spesso. Aspetta {time} e riprova. Ciò che hai già inviato non ne risente.',
    awayTitle: 'Questa pagina ora non può essere mostrata',
    awayNext:
      'L’errore è nostro. Riprova tra un minuto. Ciò che hai già inviato non è perso: verrà contato appena tutto funziona di nuovo.',
    again: 'Riprova',
  },
  nl: {
    lostTitle: 'Deze pagina bestaat niet',
    lostNext:
      'Misschien klopt de link niet, of is de betaling al lang voorbij. Vraag de winkel om een nieuwe link. Als je geld hebt verstuurd, is het niet weg: de winkel ziet het.',
    endedTitle: 'Deze link neemt geen betalingen meer aan',
    endedNext:
      'Hij is zo vaak gebruikt als mag, of zijn tijd is voorbij. Vraag de winkel om een nieuwe link. Als je geld hebt verstuurd, is het niet weg: de winkel ziet het.',
    oftenTitle: 'Te veel bezoeken tegelijk',
    oftenNext:
      'Je netwerk heeft heel vaak om betaalpagina’s gevraagd. Wacht {time} en probeer het opnieuw. Wat je al hebt verstuurd, blijft zoals het is.',
    awayTitle: 'Deze pagina kan nu niet worden getoond',
    awayNext:
      'De fout ligt bij ons. Probeer het over een minuut opnieuw. Wat je al hebt verstuurd, is niet weg: het telt zodra dit weer werkt.',
    again: 'Opnieuw proberen',
  },
  pl: {
    lostTitle: 'Nie ma takiej strony',
    lostNext:
      'Może link jest błędny albo płatność dawno się skończyła. Poproś sklep o nowy link. Wysłane pieniądze nie przepadły: sklep je widzi.',
    endedTitle: 'Ten link nie przyjmuje już płatności',
    endedNext:
      'Wykorzystano go tyle razy, ile można, albo minął jego czas. Poproś sklep o nowy link. Wysłane pieniądze nie przepadły: sklep je widzi.',
    oftenTitle: 'Zbyt wiele wizyt naraz',
    oftenNext:
      'Twoja sieć bardzo często prosiła o strony płatności. Odczekaj {time} i spróbuj ponownie. Nie dotyczy to tego, co już zostało wysłane.',
    awayTitle: 'Nie można teraz pokazać tej strony',
    awayNext:
      'Błąd leży po naszej stronie. Spróbuj ponownie za minutę. To, co już zostało wysłane, nie przepadło: zostanie zaliczone, gdy wszystko znów zadziała.',
    again: 'Spróbuj ponownie',
  },
  tr: {
    lostTitle: 'Böyle bir sayfa yok',
    lostNext:
      'Bağlantı yanlış yazılmış ya da ödeme çoktan bitmiş olabilir. Mağazadan yeni bir bağlantı isteyin. Para gönderdiyseniz kaybolmadı: mağaza onu görür.',
    endedTitle: 'Bu bağlantı artık ödeme almıyor',
    endedNext:
      'İzin verilen sayıda kullanıldı ya da süresi doldu. Mağazadan yeni bir bağlantı isteyin. Para gönderdiyseniz kaybolmadı: mağaza onu görür.',
    oftenTitle: 'Aynı anda çok fazla ziyaret',
    oftenNext:
      'Ağınız ödeme sayfalarını çok sık istedi. {time} bekleyip yeniden deneyin. Gönderdiğiniz ödeme bundan etkilenmez.',
    awayTitle: 'Bu sayfa şu anda gösterilemiyor',
    awayNext:
      'Hata bizde. Bir dakika sonra yeniden deneyin. Gönderdiğiniz ödeme kaybolmadı: burası yeniden çalışınca sayılır.',
    again: 'Yeniden dene',
  },
  zh: {
    lostTitle: '此页面不存在',
    lostNext:
      '链接可能有误，或付款早已结束。请向商店索取新链接。如果您已发送款项，它没有丢失：商店可以看到。',
    endedTitle: '此链接不再接受付款',
    endedNext:
      '它的使用次数已满，或已过期。请向商店索取新链接。如果您已发送款项，它没有丢失：商店可以看到。',
    oftenTitle: '同时访问过多',
    oftenNext: '您的网络请求付款页面过于频繁。请等待{time}再试。您已发送的款项不受影响。',
    awayTitle: '此页面暂时无法显示',
    awayNext: '问题出在我们这边。请一分钟后再试。您已发送的款项没有丢失：恢复后会立即计入。',
    again: '重试',
  },
  ja: {
    lostTitle: 'このページはありません',
    lostNext:
      'リンクが間違っているか、お支払いがずっと前に終わっています。お店に新しいリンクを依頼してください。送金済みでも失われていません。お店が確認できます。',
    endedTitle: 'このリンクでのお支払いは終了しました',
    endedNext:
      '使用できる回数に達したか、期限が過ぎています。お店に新しいリンクを依頼してください。送金済みでも失われていません。お店が確認できます。',
    oftenTitle: 'アクセスが集中しています',
    oftenNext:
      'お使いのネットワークからのアクセスが多すぎます。{time}待ってから、もう一度お試しください。送金済みのお支払いには影響しません。',
    awayTitle: '現在このページを表示できません',
    awayNext:
      '当方の不具合です。1 分後にもう一度お試しください。送金済みのお支払いは失われていません。復旧後に反映されます。',
    again: 'もう一度試す',
  },
  ar: {
    lostTitle: 'هذه الصفحة غير موجودة',
    lostNext:
      'قد يكون الرابط خاطئًا، أو انتهت الدفعة منذ زمن. اطلب رابطًا جديدًا من المتجر. إذا أرسلت مالًا فهو لم يضع: يراه المتجر.',
    endedTitle: 'لم يعد هذا الرابط يقبل الدفع',
    endedNext:
      'استُخدم بقدر ما يُسمح به، أو انتهى وقته. اطلب رابطًا جديدًا من المتجر. إذا أرسلت مالًا فهو لم يضع: يراه المتجر.',
    oftenTitle: 'زيارات كثيرة في وقت واحد',
    oftenNext:
      'طلبت شبكتك صفحات الدفع مرات كثيرة جدًا. انتظر {time} وحاول مرة أخرى. ما أرسلته من قبل لا يتأثر بذلك.',
    awayTitle: 'لا يمكن عرض هذه الصفحة الآن',
    awayNext:
      'الخطأ من جانبنا. حاول مرة أخرى بعد دقيقة. ما أرسلته من قبل لم يضع: يُحتسب حالما تعود الخدمة.',
    again: 'حاول مرة أخرى',
  },
} satisfies Record<string, RefusalMessages>

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
      'Too many payment pages were opened from your network. Try again in {time}. Payments you already sent are not affected.',
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
      'Von Ihrem Netzwerk wurden zu viele Zahlungsseiten geöffnet. Versuchen Sie es in {time} erneut. Bereits gesendete Zahlungen sind nicht betroffen.',
    awayTitle: 'Diese Seite ist gerade nicht verfügbar',
    awayNext:
      'Das Problem liegt bei uns. Versuchen Sie es in einer Minute erneut. Bereits gesendete Zahlungen sind nicht verloren.',
    again: 'Erneut versuchen',
  },
  es: {
    lostTitle: 'Esta página no existe',
    lostNext:
      'Compruebe el enlace o pida uno nuevo a la tienda. Si ha enviado dinero, no se ha perdido: la tienda puede verlo.',
    endedTitle: 'Este enlace ya no admite pagos',
    endedNext:
      'Ha alcanzado su límite de pagos o ha caducado. Pida un enlace nuevo a la tienda. Si ha enviado dinero, no se ha perdido: la tienda puede verlo.',
    oftenTitle: 'Demasiadas solicitudes',
    oftenNext:
      'Desde su red se han abierto demasiadas páginas de pago. Inténtelo de nuevo en {time}. Los pagos ya enviados no se ven afectados.',
    awayTitle: 'Esta página no está disponible ahora',
    awayNext:
      'El problema es nuestro. Inténtelo de nuevo en un minuto. Los pagos ya enviados no se han perdido.',
    again: 'Intentar de nuevo',
  },
  fr: {
    lostTitle: 'Cette page n’existe pas',
    lostNext:
      'Vérifiez le lien ou demandez-en un nouveau au commerçant. Si vous avez envoyé de l’argent, il n’est pas perdu : le commerçant le voit.',
    endedTitle: 'Ce lien n’accepte plus de paiements',
    endedNext:
      'Il a atteint sa limite de paiements ou a expiré. Demandez un nouveau lien au commerçant. Si vous avez envoyé de l’argent, il n’est pas perdu : le commerçant le voit.',
    oftenTitle: 'Trop de requêtes',
    oftenNext:
      'Trop de pages de paiement ont été ouvertes depuis votre réseau. Réessayez dans {time}. Les paiements déjà envoyés ne sont pas concernés.',
    awayTitle: 'Cette page est indisponible pour le moment',
    awayNext:
      'Le problème vient de nous. Réessayez dans une minute. Les paiements déjà envoyés ne sont pas perdus.',
    again: 'Réessayer',
  },
  pt: {
    lostTitle: 'Esta página não existe',
    lostNext:
      'Confira o link ou peça um novo à loja. Se você enviou dinheiro, ele não se perdeu: a loja pode vê-lo.',
    endedTitle: 'Este link não aceita mais pagamentos',
    endedNext:
      'Ele atingiu o limite de pagamentos ou expirou. Peça um novo link à loja. Se você enviou dinheiro, ele não se perdeu: a loja pode vê-lo.',
    oftenTitle: 'Muitas solicitações',
    oftenNext:
      'Muitas páginas de pagamento foram abertas pela sua rede. Tente de novo em {time}. Os pagamentos já enviados não são afetados.',
    awayTitle: 'Esta página está indisponível agora',
    awayNext:
      'O problema é nosso. Tente de novo em um minuto. Os pagamentos já enviados não se perderam.',
    again: 'Tentar de novo',
  },
  it: {
    lostTitle: 'Questa pagina non esiste',
    lostNext:
      'Controlla il link o chiedine uno nuovo al negozio. Se hai inviato denaro, non è perso: il negozio lo vede.',
    endedTitle: 'Questo link non accetta più pagamenti',
    endedNext:
      'Ha raggiunto il limite di pagamenti o è scaduto. Chiedi al negozio un nuovo link. Se hai inviato denaro, non è perso: il negozio lo vede.',
    oftenTitle: 'Troppe richieste',
    oftenNext:
      'Dalla tua rete sono state aperte troppe pagine di pagamento. Riprova tra {time}. I pagamenti già inviati non ne risentono.',
    awayTitle: 'Questa pagina non è al momento disponibile',
    awayNext:
      'Il problema è nostro. Riprova tra un minuto. I pagamenti già inviati non sono persi.',
    again: 'Riprova',
  },
  nl: {
    lostTitle: 'Deze pagina bestaat niet',
    lostNext:
      'Controleer de link of vraag de winkel om een nieuwe. Als je geld hebt verstuurd, is het niet weg: de winkel ziet het.',
    endedTitle: 'Deze link neemt geen betalingen meer aan',
    endedNext:
      'De betaallimiet is bereikt of de link is verlopen. Vraag de winkel om een nieuwe link. Als je geld hebt verstuurd, is het niet weg: de winkel ziet het.',
    oftenTitle: 'Te veel verzoeken',
    oftenNext:
      'Vanaf je netwerk zijn te veel betaalpagina’s geopend. Probeer het over {time} opnieuw. Al verstuurde betalingen blijven zoals ze zijn.',
    awayTitle: 'Deze pagina is nu niet beschikbaar',
    awayNext:
      'Het probleem ligt bij ons. Probeer het over een minuut opnieuw. Al verstuurde betalingen zijn niet weg.',
    again: 'Opnieuw proberen',
  },
  pl: {
    lostTitle: 'Nie ma takiej strony',
    lostNext:
      'Sprawdź link lub poproś sklep o nowy. Wysłane pieniądze nie przepadły: sklep je widzi.',
    endedTitle: 'Ten link nie przyjmuje już płatności',
    endedNext:
      'Osiągnięto limit płatności lub link wygasł. Poproś sklep o nowy link. Wysłane pieniądze nie przepadły: sklep je widzi.',
    oftenTitle: 'Zbyt wiele żądań',
    oftenNext:
      'Z Twojej sieci otwarto zbyt wiele stron płatności. Spróbuj ponownie za {time}. Nie dotyczy to już wysłanych płatności.',
    awayTitle: 'Ta strona jest teraz niedostępna',
    awayNext:
      'Problem leży po naszej stronie. Spróbuj ponownie za minutę. Już wysłane płatności nie przepadły.',
    again: 'Spróbuj ponownie',
  },
  tr: {
    lostTitle: 'Böyle bir sayfa yok',
    lostNext:
      'Bağlantıyı kontrol edin ya da mağazadan yenisini isteyin. Para gönderdiyseniz kaybolmadı: mağaza onu görebilir.',
    endedTitle: 'Bu bağlantı artık ödeme almıyor',
    endedNext:
      'Ödeme sınırına ulaştı ya da süresi doldu. Mağazadan yeni bir bağlantı isteyin. Para gönderdiyseniz kaybolmadı: mağaza onu görebilir.',
    oftenTitle: 'Çok fazla istek',
    oftenNext:
      'Ağınızdan çok fazla ödeme sayfası açıldı. {time} sonra yeniden deneyin. Gönderdiğiniz ödemeler bundan etkilenmez.',
    awayTitle: 'Bu sayfa şu anda kullanılamıyor',
    awayNext:
      'Sorun bizden kaynaklanıyor. Bir dakika sonra yeniden deneyin. Gönderdiğiniz ödemeler kaybolmadı.',
    again: 'Yeniden dene',
  },
  zh: {
    lostTitle: '此页面不存在',
    lostNext: '请检查链接，或向商店索取新链接。如果您已发送款项，它没有丢失：商店可以看到。',
    endedTitle: '此链接不再接受付款',
    endedNext:
      '此链接已达到付款次数上限或已过期。请向商店索取新链接。如果您已发送款项，它没有丢失：商店可以看到。',
    oftenTitle: '请求过多',
    oftenNext: '您的网络打开了过多付款页面。请在{time}后重试。已发送的付款不受影响。',
    awayTitle: '此页面暂时不可用',
    awayNext: '问题出在我们这边。请一分钟后再试。已发送的付款没有丢失。',
    again: '重试',
  },
  ja: {
    lostTitle: 'このページはありません',
    lostNext:
      'リンクを確認するか、お店に新しいリンクを依頼してください。送金済みでも失われていません。お店が確認できます。',
    endedTitle: 'このリンクでのお支払いは終了しました',
    endedNext:
      'お支払い回数の上限に達したか、期限が過ぎています。お店に新しいリンクを依頼してください。送金済みでも失われていません。お店が確認できます。',
    oftenTitle: 'リクエストが多すぎます',
    oftenNext:
      'お使いのネットワークから多くの支払いページが開かれています。{time}後にもう一度お試しください。送金済みのお支払いには影響しません。',
    awayTitle: '現在このページは利用できません',
    awayNext:
      '当方の問題です。1 分後にもう一度お試しください。送金済みのお支払いは失われていません。',
    again: 'もう一度試す',
  },
  ar: {
    lostTitle: 'هذه الصفحة غير موجودة',
    lostNext:
      'تحقق من الرابط أو اطلب رابطًا جديدًا من المتجر. إذا أرسلت مالًا فهو لم يضع: يراه المتجر.',
    endedTitle: 'لم يعد هذا الرابط يقبل الدفع',
    endedNext:
      'بلغ الرابط حد الدفعات أو انتهت صلاحيته. اطلب رابطًا جديدًا من المتجر. إذا أرسلت مالًا فهو لم يضع: يراه المتجر.',
    oftenTitle: 'طلبات كثيرة جدًا',
    oftenNext:
      'فُتحت صفحات دفع كثيرة جدًا من شبكتك. حاول مرة أخرى بعد {time}. الدفعات المرسلة لا تتأثر بذلك.',
    awayTitle: 'هذه الصفحة غير متاحة الآن',
    awayNext: 'المشكلة من جانبنا. حاول مرة أخرى بعد دقيقة. الدفعات المرسلة لم تضع.',
    again: 'حاول مرة أخرى',
  },
} satisfies Record<string, RefusalMessages>

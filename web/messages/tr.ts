import type { Messages } from './en.ts'

export const tr: Messages = {
  decimalMark: ',',
  groupMark: '.',

  title: '{merchant} ödemesi',

  chooseTitle: 'Nasıl ödeyeceğinizi seçin',
  chooseHint: 'Cüzdanınızdan veya borsanızdan, burada seçtiğiniz ağ üzerinden gönderin.',
  networkSlow: 'Gecikmeli',
  usually: 'genellikle {time}',
  seconds: '{n|one:# saniye|other:# saniye}',
  minutes: '{n|one:# dakika|other:# dakika}',
  proceed: 'Devam',
  working: 'Yükleniyor…',
  tokenOnNetwork: '{network} ağında {token}',
  change: 'Token veya ağ değiştir',

  waitingTitle: 'Ödemeniz bekleniyor',
  waitingNext: 'Tutarı tam olarak gönderin. Bu sayfa otomatik olarak güncellenir.',
  choosingTitle: 'Her şey hazır',
  seenTitle: 'Ödeme algılandı',
  seenNext:
    'Başka bir şey yapmanız gerekmiyor. {network} üzerinde onaylanıyor, genellikle {time} içinde.',
  seenPartNext: 'Onaylanıyor. Hâlâ {due} eksik: aynı adrese gönderin.',
  partialTitle: 'Hâlâ {due} eksik',
  partialNext: '{expected} tutarının {received} kadarı geldi. Kalanı aynı adrese gönderin.',
  paidTitle: 'Ödeme onaylandı',
  paidNext: 'Tamamlandı. Bilgilendirilen alıcı: {merchant}.',
  completedTitle: 'Ödeme tamamlandı',
  completedNext: '{merchant} ödemenizi aldı.',
  expiredTitle: 'Bu ödemenin süresi doldu',
  expiredNext: 'Bu adrese para göndermeyin. Yeniden başlamak için geri dönün: {merchant}.',
  expiredPartNext:
    '{expected} tutarının {received} kadarı zamanında geldi. {merchant} bunu görür ve iade edebilir.',
  lateTitle: 'Geç ödeme alındı',
  lateNext:
    '{late} süre dolduktan sonra geldi. {merchant} bilgilendirildi; kabul veya iade edebilir.',
  overpaidTitle: '{overpaid} fazla gönderdiniz',
  overpaidNext:
    'Fazladan gönderilen {overpaid}, ödemenizle birlikte alıcıya ulaştı. İade için iletişim: {merchant}.',
  earlierNext:
    'Yeniden seçmeden önce burada gösterilen bir adrese de para gönderdiniz. {merchant} bunu görür ve iade edebilir.',

  amountToSend: 'Tam tutar',
  addressToSend: 'Adres',
  copy: 'Kopyala',
  copied: 'Kopyalandı',
  copyAmount: 'Tam tutarı kopyala',
  copyAddress: 'Adresi kopyala',
  amountCopied: 'Tutar kopyalandı.',
  addressCopied: 'Adres kopyalandı.',
  copyRefused: 'Tarayıcınız kopyalamaya izin vermiyor. Metni seçip kendiniz kopyalayın.',
  qrTitle: 'QR kodu',
  qrPlain: 'Yalnızca adres',
  qrRequest: 'Tutarla',
  qrPlainLabel: 'Adresin QR kodu',
  qrRequestLabel: 'Adres, token ve tutarın QR kodu',
  qrRequestHint: 'Her cüzdan bu kodu okumaz. Göndermeden önce token ve tutarı kontrol edin.',
  onlyThis: 'Yalnızca {token}, yalnızca {network} ağında gönderin.',
  payBy: 'Son ödeme: {time}',
  timeLeft: '{time} kaldı',
  helpTitle: 'Geç veya eksik ödersem ne olur?',
  helpLate: 'Geç gelen ödeme kaybolmaz. {merchant} haberdar olur; kabul veya iade edebilir.',
  helpFees:
    'Borsalar çoğu zaman ücret keser. Eksik gelirse bu sayfa ne kadar kaldığını söyler, siz de aynı adrese gönderirsiniz.',

  walletTitle: 'Veya bir cüzdanla ödeyin',
  walletPay: '{wallet} ile öde',
  walletConnecting: '{wallet} içinde bağlanın.',
  walletSwitching: '{wallet} içinde {network} ağına geçin.',
  walletConfirming: 'Ödemeyi {wallet} içinde onaylayın.',
  walletSent: '{wallet} ödemeyi gönderdi. Kısa süre içinde burada görünür.',
  walletDeclined: '{wallet} içinde reddettiniz. Hiçbir şey gönderilmedi.',
  walletBusy: '{wallet} içinde açık bir istek var. Önce onu yanıtlayın.',
  walletElsewhere: '{wallet} hâlâ başka bir ağda. {network} ağına geçip yeniden deneyin.',
  walletFailed:
    '{wallet} gönderemedi. Yeterli {token} ve ağ ücreti için {coin} olup olmadığını kontrol edin.',
  walletTab: 'Cüzdanla ödemek için yeni sekmede aç',
  walletApp: 'Cüzdan uygulamasını aç',
  opensTab: 'yeni sekmede açılır',

  transfersTitle: 'Ödemeleriniz',
  explorer: 'Gezginde görüntüle',
  confirmations: 'Onay: {needed} içinden {n}',
  statusPending: 'Onaylanıyor',
  statusConfirmed: 'Onaylandı',
  statusReverted: 'Başarısız',
  kindLate: 'Geç',
  kindOther: 'Yanlış token veya ağ',
  transferReturning: '{amount} iadesi sürüyor.',
  transferReturned: '{amount} iade edildi.',

  hashTitle: 'Ödediniz ama görünmüyor mu?',
  hashLabel: 'İşlem hash’i',
  hashHint: '0x ve 64 karakter. Cüzdanınız veya borsanız ödemenin yanında gösterir.',
  hashSend: 'Ödemeyi bul',
  hashWrong: 'Bir işlem hash’i girin: 0x ve ardından 64 karakter.',
  lookupPayment: 'Ödeme {network} ağında bulundu. Onaylanınca sayılır.',
  lookupLate:
    'Ödeme {network} ağında bulundu, ancak süre dolduktan sonra ulaştı. Yalnızca {merchant} kabul ederse sayılır.',
  lookupOtherNetwork:
    'Ödeme doğru adreste, ancak sunulmayan {network} ağında bulundu. {merchant} bunu görebilir. {merchant} ile iletişime geçin.',
  lookupOtherToken:
    'Ödeme {network} ağında doğru adreste, ancak başka bir token ile bulundu. {merchant} bunu görebilir. {merchant} ile iletişime geçin.',
  lookupElsewhere:
    'İşlem {network} ağında bulundu, ancak bu adrese ödeme yapmadı. Token transferlerini, gönderdiği coini ve adresin bloktan önceki ve sonraki bakiyesini kontrol ettik. Cüzdanınızdaki adresle karşılaştırın.',
  lookupFailed:
    'Bu işlem {network} ağında başarısız oldu, yani hiçbir şey gönderilmedi. Ödemeyi yeniden gönderebilirsiniz.',
  lookupNotMined:
    'İşlem {network} ağında bulundu, ancak henüz bir blokta değil. Bloğa girince burada görünür. Ödemeyi yeniden göndermeyin.',
  lookupUnknown: 'Bu işlemi desteklenen hiçbir ağda bulamadık. Hash’i ve ağı kontrol edin.',
  lookupIncomplete:
    'Bazı ağlar henüz yanıt vermedi. Bu adrese yapılan bir ödeme burada otomatik olarak görünür. Değilse bir dakika sonra yeniden deneyin.',

  refundTitle: 'İade adresi ekleyin',
  refundLabel: 'Adresiniz',
  refundHint: 'Ödeme yaptığınız ağdaki kendi cüzdanınızı kullanın; borsa adresi kullanmayın.',
  refundSend: 'Kaydet',
  refundSaved: '{merchant} iadeleri {address} adresine gider.',
  refundWrong: 'Bir adres girin: 0x ve ardından 40 karakter.',

  tooOften: 'Çok fazla deneme. Bir dakika sonra yeniden deneyin.',
  tryAgain: 'Olmadı. Yeniden deneyin.',
  offline: 'Bağlantı kesildi. Yeniden bağlanılıyor… Ödemeniz güvende.',
  refresh: 'Bu sayfayı yenile',
  refreshHint: 'JavaScript olmadan bu sayfa otomatik olarak güncellenmez.',

  receiptTitle: 'Makbuz',
  receiptMerchant: 'Alıcı',
  receiptFor: 'Ne için',
  receiptAmount: 'Tutar',
  receiptReceived: 'Alınan',
  receiptReference: 'Referans',
  receiptDate: 'Tarih',
  receiptTransaction: '{network} ağındaki işlem',
  print: 'Makbuzu yazdır',
  goBack: '{merchant} sayfasına dön',
  close: 'Kapat',

  support: 'Bu ödeme hakkında sorunuz mu var?',
  supportEmail: '{merchant} ile yazışın',
  supportPage: '{merchant} yardım sayfası',
  supportNone: 'İletişime geçin: {merchant}.',
  quote: 'Referansı belirtin: {reference}.',
  language: 'Dil',
  languageSet: 'Uygula',
}

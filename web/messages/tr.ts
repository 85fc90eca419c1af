import type { Messages } from './en.ts'

export const tr: Messages = {
  decimalMark: ',',
  groupMark: '.',

  title: '{merchant} ödemesi',

  chooseTitle: 'Nasıl ödeyeceğinizi seçin',
  chooseHint: 'Cüzdanınız veya borsanız burada seçtiğiniz ağdan göndermelidir.',
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
  walletSent: '{wallet} ödemeyi gönderdi. Birazdan ağda olur.',
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
  statusReverted: 'Ağda başarısız oldu',
  kindLate: 'Geç',
  kindOther: 'Yanlış token veya ağ',
  transferReturning: '{amount} geri gönderiliyor.',
  transferReturned: '{amount} iade edildi.',

  hashTitle: 'Ödediniz ama görünmüyor mu?',
  hashLabel: 'İşlem hash’i',
  hashHint: '0x ve 64 karakter. Cüzdanınız veya borsanız ödemenin yanında gösterir.',
  hashSend: 'Ödemeyi bul',
  hashWrong: 'Bir işlem hash’i girin: 0x ve ardından 64 karakter.',
  lookupPayment: '{network} ağında bulundu. Bu ödemeye ait ve onaylanınca sayılır.',
  lookupLate:
    '{network} ağında bulundu, ama süre dolduktan sonra geldi. Yalnızca {merchant} kabul ederse sayılır.',
  lookupOtherNetwork:
    'Doğru adrese gitti, ama burada sunulmayan {network} ağında. {merchant} bunu görür: ne olacağını orada sorun.',
  lookupOtherToken:
    '{network} ağında doğru adrese gitti, ama başka bir token ile. {merchant} bunu görür: ne olacağını orada sorun.',
  lookupElsewhere:
    '{network} ağında bulundu. Token transferlerine, kendisinin gönderdiği paraya ve buradaki adresin bloktan önceki ve sonraki bakiyesine baktık; bu ödeme için bir şey bulamadık. Cüzdanınızdaki adresi karşılaştırın.',
  lookupFailed:
    '{network} ağında başarısız oldu, yani hiçbir şey gönderilmedi. Yeniden ödeyebilirsiniz.',
  lookupNotMined:
    '{network} ağı tanıyor, ama henüz bir blokta değil. Olduğunda bu sayfada görünür; yeniden göndermeyin.',
  lookupUnknown: 'Bu işlemi desteklenen hiçbir ağda bulamadık. Hash’i ve ağı kontrol edin.',
  lookupIncomplete:
    'Bazı ağlar henüz yanıt vermedi. Bu adrese yapılan bir ödeme burada otomatik olarak görünür. Değilse bir dakika sonra yeniden deneyin.',

  refundTitle: 'İade adresi ekleyin',
  refundLabel: 'Adresiniz',
  refundHint: 'Ödeme yaptığınız ağdaki kendi cüzdanınızı kullanın; borsa adresi kullanmayın.',
  refundSend: 'Kaydet',
  refundSaved: '{merchant} para iade ederse şu adrese gider: {address}.',
  refundWrong: 'Bu henüz bir adres değil. 0x ve 0–9, a–f arasından 40 karakterdir.',

  tooOften: 'Çok fazla deneme. Bir dakika sonra yeniden deneyin.',
  tryAgain: 'Olmadı. Yeniden deneyin.',
  offline: 'Bağlantı koptu. Denemeye devam ediyoruz; ödemeniz güvende.',
  refresh: 'Bu sayfayı yenile',
  refreshHint: 'JavaScript olmadan bu sayfa kendiliğinden değişmez.',

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
  languageSet: 'Seç',
}

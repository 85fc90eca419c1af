import type { Messages } from './en.ts'

export const tr: Messages = {
  decimalMark: ',',
  groupMark: '.',

  title: '{merchant} ödemesi',

  chooseTitle: 'Nasıl ödeyeceğinizi seçin',
  chooseHint: 'Cüzdanınız veya borsanız burada seçtiğiniz ağdan göndermelidir.',
  networkOk: 'Normal çalışıyor',
  networkSlow: 'Her zamankinden yavaş',
  usually: 'genellikle {time}',
  seconds: '{n|one:# saniye|other:# saniye}',
  minutes: '{n|one:# dakika|other:# dakika}',
  goOn: 'Devam',
  working: 'Bir dakika',
  tokenOnNetwork: '{network} ağında {token}',
  change: 'Token veya ağ değiştir',

  waitingTitle: 'Ödemeniz bekleniyor',
  waitingNext: 'Aşağıdaki tutarı tam olarak gönderin. Ağa ulaştığı anda bu sayfada görünür.',
  choosingTitle: 'Her şey hazır',
  seenTitle: 'Ödeme görüldü',
  seenNext:
    'Başka bir şey yapmanız gerekmiyor. Ağ onayladığında sayılır, genellikle {time} içinde.',
  seenPartNext: 'Onaylanıyor. Hâlâ {due} eksik: aynı adrese gönderin.',
  partialTitle: 'Hâlâ {due} eksik',
  partialNext: '{expected} tutarının {received} kadarı geldi. Kalanı aynı adrese gönderin.',
  paidTitle: 'Ödendi',
  paidNext: 'Ödemeniz onaylandı ve yolda. Alıcı: {merchant}. Bu sayfayı kapatabilirsiniz.',
  completedTitle: 'Ödeme tamamlandı',
  completedNext: '{merchant} ödemenizi aldı.',
  expiredTitle: 'Ödeme süresi doldu',
  expiredNext: 'Lütfen bu adrese artık bir şey göndermeyin. Yeni bir ödeme isteyin: {merchant}.',
  expiredPartNext:
    '{expected} tutarının {received} kadarı zamanında geldi. {merchant} bunu görür ve iade edebilir.',
  lateTitle: 'Bir ödeme geç geldi',
  lateNext: '{late} süre dolduktan sonra geldi. {merchant} bunu biliyor; kabul veya iade edebilir.',
  overpaidTitle: '{overpaid} fazla gönderdiniz',
  overpaidNext:
    'Fazlası kaybolmadı: ödemenizle birlikte alıcıya ulaşır. İade isteyebileceğiniz yer: {merchant}.',
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
  helpTitle: 'Geç kalırsa veya eksik olursa?',
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
  walletApp: 'Bir cüzdan uygulamasında aç',
  opensTab: 'yeni sekmede açılır',

  transfersTitle: 'Ödemeleriniz',
  explorer: 'Gezginde göster',
  confirmations: 'Onay: {needed} içinden {n}',
  statusPending: 'Onaylanıyor',
  statusConfirmed: 'Onaylandı',
  statusReverted: 'Ağda başarısız oldu',
  kindLate: 'Geç',
  kindOther: 'Başka token veya ağ',
  transferReturning: '{amount} geri gönderiliyor.',
  transferReturned: '{amount} iade edildi.',

  hashTitle: 'Gönderdiniz mi? İşlem hash’ini yapıştırın',
  hashLabel: 'İşlem hash’i',
  hashHint: '0x ve 64 karakter. Cüzdanınız veya borsanız ödemenin yanında gösterir.',
  hashSend: 'Ara',
  hashWrong: 'Bu henüz bir hash değil. 0x ve 0–9, a–f arasından 64 karakterdir.',
  lookupPayment: '{network} ağında bulundu. Bu ödemeye ait ve onaylanınca sayılır.',
  lookupLate:
    '{network} ağında bulundu, ama süre dolduktan sonra geldi. Yalnızca {merchant} kabul ederse sayılır.',
  lookupOtherNetwork:
    'Doğru adrese gitti, ama burada sunulmayan {network} ağında. {merchant} bunu görür: ne olacağını orada sorun.',
  lookupOtherToken:
    '{network} ağında doğru adrese gitti, ama başka bir token ile. {merchant} bunu görür: ne olacağını orada sorun.',
  lookupElsewhere:
    '{network} ağında bulundu, ama buradaki adrese bir şey göndermedi. Cüzdanınızdaki adresi karşılaştırın.',
  lookupFailed:
    '{network} ağında başarısız oldu, yani hiçbir şey gönderilmedi. Yeniden ödeyebilirsiniz.',
  lookupNotMined:
    '{network} ağı tanıyor, ama henüz bir blokta değil. Olduğunda bu sayfada görünür; yeniden göndermeyin.',
  lookupUnknown:
    'İzlediğimiz hiçbir ağ tanımıyor. Hash’i ve burada sunulan bir ağdan gönderildiğini kontrol edin.',
  lookupLooking:
    'Ağların hepsi yanıt vermedi. Bu adrese yapılan bir ödeme burada kendiliğinden görünür; değilse bir dakika sonra yeniden arayın.',

  refundTitle: 'İade için bir adres bırakın',
  refundLabel: 'Adresiniz',
  refundHint: 'Ödediğiniz ağda bu token’ı kabul eden, size ait bir adres. Borsa adresi olmasın.',
  refundSend: 'Kaydet',
  refundSaved: '{merchant} para iade ederse şu adrese gider: {address}.',
  refundWrong: 'Bu henüz bir adres değil. 0x ve 0–9, a–f arasından 40 karakterdir.',

  tooOften: 'Kısa sürede çok fazla denendi. Bir dakika bekleyip yeniden deneyin.',
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
  supportMail: '{merchant} ile yazışın',
  supportPage: '{merchant} yardım sayfası',
  supportNone: 'Buraya geldiğiniz yoldan ulaşın: {merchant}.',
  quote: 'Belirtin: {reference}.',
  language: 'Dil',
  languageSet: 'Seç',

  lostTitle: 'Böyle bir sayfa yok',
  lostNext:
    'Bağlantı yanlış yazılmış ya da ödeme çoktan bitmiş olabilir. Mağazadan yeni bir bağlantı isteyin. Para gönderdiyseniz kaybolmadı: mağaza onu görür.',
}

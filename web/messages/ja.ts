import type { Messages } from './en.ts'

export const ja: Messages = {
  decimalMark: '.',
  groupMark: ',',

  title: '{merchant} へのお支払い',

  chooseTitle: 'お支払い方法を選んでください',
  chooseHint: 'ウォレットまたは取引所から、ここで選んだネットワークで送ってください。',
  chooseFirst: '先にトークンとネットワークを選択してください。',
  networkSlow: '遅延中',
  usually: '通常 {time}',
  recommended: 'おすすめ',
  usualFee: 'ネットワーク手数料 約 {fee}',
  seconds: '{n|other:# 秒}',
  minutes: '{n|other:# 分}',
  proceed: '続ける',
  proceedWith: '{network} の {token} で続ける',
  working: '読み込み中…',
  tokenOnNetwork: '{network} の {token}',
  change: 'トークンやネットワークを変更',

  waitingTitle: 'お支払いをお待ちしています',
  waitingNext: '正確な金額を送ってください。このページは自動的に更新されます。',
  choosingTitle: '準備ができました',
  seenTitle: 'お支払いを検出しました',
  seenNext: 'これ以上の操作は不要です。{network} で承認中です（通常 {time} 以内）。',
  seenPartNext: '承認を待っています。あと {due} を同じアドレスに送ってください。',
  signedTitle: 'お支払いに署名しました',
  signedNext: 'これ以上の操作は不要です。{network} で {amount} を送信中です。',
  sentTitle: 'お支払いを送信しました',
  sentNext: 'これ以上の操作は不要です。{amount} は {network} で処理中です。',
  unsentTitle: 'お支払いは送信されませんでした',
  partialTitle: 'あと {due} 必要です',
  partialNext: '{expected} のうち {received} が届きました。残りを同じアドレスに送ってください。',
  paidTitle: 'お支払いが確認されました',
  paidNext: '完了です。{merchant} に通知しました。',
  completedTitle: 'お支払い完了',
  completedNext: '{merchant} がお支払いを受け取りました。',
  expiredTitle: 'このお支払いは期限切れです',
  expiredNext: 'このアドレスには送金しないでください。{merchant} に戻ってやり直してください。',
  expiredAgainNext:
    'このアドレスには送金しないでください。やり直すと新しいアドレスが発行されます。',
  startAgain: 'やり直す',
  expiredPartNext:
    '期限内に {expected} のうち {received} が届きました。{merchant} は確認でき、返金できます。',
  lateTitle: '期限後のお支払いを受け取りました',
  lateNext:
    '{late} が期限後に届きました。{merchant} に通知済みで、受け取るか返金するかを決められます。',
  overpaidTitle: '{overpaid} 多く送られました',
  overpaidNext:
    '超過分の {overpaid} はお支払いと一緒に {merchant} に届きました。返金は {merchant} にお問い合わせください。',
  earlierNext:
    '選び直す前に表示されたアドレスにも送金されています。{merchant} は確認でき、返金できます。',
  wrongTokenTitle: '{amount} を受領しましたが、トークンが異なります',
  wrongNetworkTitle: '{amount} を受領しましたが、ネットワークが異なります',
  wrongNext:
    '{network} の資金は安全ですが、この支払いには算入されません。返金するかどうかは {merchant} が決めます。再送金せず、下に返金先アドレスを入力して {merchant} に連絡してください。',
  wrongPay: '今すぐ {due} を支払う',

  amountToSend: '正確な金額',
  addressToSend: 'アドレス',
  copy: 'コピー',
  copied: 'コピー済み',
  copyAmount: '正確な金額をコピー',
  copyAddress: 'アドレスをコピー',
  copyHash: 'トランザクションハッシュをコピー',
  amountCopied: '金額をコピーしました。',
  addressCopied: 'アドレスをコピーしました。',
  hashCopied: 'トランザクションハッシュをコピーしました。',
  copyRefused: 'ブラウザがコピーを許可していません。文字を選択してコピーしてください。',
  qrTitle: 'QRコード',
  qrShow: 'QRコードを表示',
  qrPlain: 'アドレスのみ',
  qrRequest: '金額つき',
  qrPlainLabel: 'アドレスのQRコード',
  qrRequestLabel: 'アドレス、トークン、金額のQRコード',
  qrRequestHint:
    'このコードを読めないウォレットもあります。送る前にトークンと金額を確かめてください。',
  onlyThis: '{network} の {token} だけを送ってください。',
  payBy: '{time} までにお支払いください',
  timeLeft: '残り {time}',
  helpTitle: '期限後の支払いや不足があったら？',
  helpLate:
    '遅れたお支払いも失われません。{merchant} に通知され、受け取るか返金するかを決められます。',
  helpFees:
    '取引所は手数料を差し引くことがあります。足りないときはこのページに残額が出るので、同じアドレスに送ってください。',

  walletTitle: 'ウォレットで支払う',
  walletPay: '{wallet} で支払う',
  walletUnnamed: 'ウォレット',
  walletConnecting: '{wallet} で接続してください。',
  walletSwitching: '{wallet} で {network} に切り替えてください。',
  walletConfirming: '{wallet} でお支払いを確定してください。',
  walletSigning: '{wallet} でお支払いに署名してください。',
  walletDelivering: '{wallet} で署名しました。お支払いを送信しています…',
  walletSent: '{wallet} が送信しました。まもなくここに表示されます。',
  walletDeclined: '{wallet} で拒否されました。何も送られていません。',
  walletBusy: '{wallet} に未回答のリクエストがあります。先に回答してください。',
  walletElsewhere:
    '{wallet} は別のネットワークのままです。{network} に切り替えて、もう一度お試しください。',
  walletFailed:
    '{wallet} から送れませんでした。{token} の残高と、ネットワーク手数料の {coin} を確かめてください。',
  gasless: 'ガス代の {coin} は不要です。',
  gasNeeded: 'ネットワーク手数料の {coin} が必要です。',
  byTransfer: '代わりに送金する',
  signDeclined: '{wallet} はお支払いに署名しませんでした。何も送られていません。',
  signUnfit: 'このウォレットは署名で支払えません。何も送られていません。代わりに送金できます。',
  signLimit:
    'ガス代不要のお支払いは現在利用できません。何も送られていません。代わりに送金できます。',
  signLate: '署名は使われる前に期限が切れました。何も送られていません。もう一度署名してください。',
  signAmount:
    'お支払い残額が変わりました。何も送られていません。新しい金額でもう一度署名してください。',
  signUsed:
    'この署名はすでに使用または取り消されています。何も送られていません。もう一度署名してください。',
  signShort: 'このウォレットの {network} の残高は {due} 未満です。何も送られていません。',
  signInFlight: '別のお支払いが進行中です。ほかには何も送られていません。',
  signClosed: 'このお支払いは受付を終了しました。何も送られていません。',
  signBlocked:
    'このウォレットからのお支払いは受け付けられません。何も送られていません。別のウォレットを使うか、{merchant} にお問い合わせください。',
  signPaused: '現在 {token} は送金できません。何も送られていません。後でもう一度お試しください。',
  signFailed: 'うまくいきませんでした。何も送られていません。もう一度お試しください。',
  signUndone:
    'ネットワークでお支払いが実行されませんでした。もう一度署名するか、送金してください。',
  signLost:
    '署名が届いていない可能性があります。もう一度お試しください。二重に支払うことはありません。',
  walletTab: '新しいタブで開いてウォレットで支払う',
  walletApp: 'ウォレットアプリを開く',
  opensTab: '新しいタブで開きます',

  transfersTitle: 'あなたのお支払い',
  explorer: 'エクスプローラーで見る',
  confirmations: '承認数：{needed} のうち {n}',
  statusPending: '承認待ち',
  statusConfirmed: '承認済み',
  statusReverted: '失敗',
  kindLate: '期限後',
  kindOther: 'トークンまたはネットワークが違います',
  transferReturning: '{amount} を返金処理中です。',
  transferReturned: '{amount} を返金しました。',

  hashTitle: '支払ったのに表示されませんか？',
  hashLabel: 'トランザクションハッシュ',
  hashHint: '0x と 64 文字です。ウォレットや取引所の送金履歴に表示されます。',
  hashSend: 'お支払いを検索',
  hashWrong: 'トランザクションハッシュを入力してください（0x に続く 64 文字）。',
  lookupPayment: '{network} でお支払いが見つかりました。承認されると反映されます。',
  lookupLate:
    '{network} でお支払いが見つかりましたが、期限後に届きました。{merchant} が受け取る場合にのみ反映されます。',
  lookupOtherNetwork:
    '正しいアドレスへのお支払いが見つかりましたが、選択肢にない {network} でした。{merchant} は確認できます。{merchant} にお問い合わせください。',
  lookupOtherToken:
    '{network} で正しいアドレスへのお支払いが見つかりましたが、別のトークンでした。{merchant} は確認できます。{merchant} にお問い合わせください。',
  lookupElsewhere:
    '{network} でトランザクションが見つかりましたが、このアドレスへの支払いではありません。トークンの送金、送られたコイン、ブロック前後のアドレスの残高を確認しました。ウォレットのアドレスと比べてください。',
  lookupFailed:
    'このトランザクションは {network} で失敗したため、何も送られていません。もう一度お支払いいただけます。',
  lookupNotMined:
    '{network} でトランザクションが見つかりましたが、まだブロックに入っていません。入ると表示されます。もう一度送らないでください。',
  lookupUnknown:
    '対応しているネットワークでこのトランザクションは見つかりませんでした。ハッシュとネットワークを確認してください。',
  lookupIncomplete:
    'まだ応答していないネットワークがあります。このアドレスへの送金は自動的に表示されます。それ以外は 1 分後にもう一度お試しください。',

  refundTitle: '返金先アドレスを追加',
  refundLabel: 'あなたのアドレス',
  refundHint:
    'お支払いに使ったネットワークのご自身のウォレットを指定してください。取引所のアドレスは使えません。',
  refundSend: '保存',
  refundSaved: '{merchant} からの返金は {address} に送られます。',
  refundWrong: 'アドレスを入力してください（0x に続く 40 文字）。',

  tooOften: '試行回数が多すぎます。1 分後にもう一度お試しください。',
  tryAgain: 'うまくいきませんでした。もう一度お試しください。',
  offline: '接続が切れました。再接続しています… お支払いは安全です。',
  refresh: 'このページを更新',
  refreshHint: 'JavaScript がないと、このページは自動的に更新されません。',

  receiptTitle: '領収書',
  receiptPaid: '支払い済み',
  receiptMerchant: 'お支払い先',
  receiptFor: '内容',
  receiptAmount: '金額',
  receiptReceived: '受取額',
  receiptReference: '参照番号',
  receiptPayer: '支払元',
  receiptDate: '日付',
  receiptTransaction: '{network} のトランザクション',
  receiptMail: '領収書をメールで送る',
  receiptEmail: '領収書の送付先メール',
  receiptSend: '送信',
  receiptHint: 'この領収書の送付にのみ使用します。',
  receiptWrong: 'メールアドレスを入力してください（例：name@example.com）。',
  receiptSent: '領収書を送信しました。数分以内に届きます。',
  print: '領収書を印刷',
  goBack: '{merchant} に戻る',
  close: '閉じる',

  support: 'このお支払いについてのご質問は',
  supportEmail: '{merchant} にメールする',
  supportPage: '{merchant} のサポート',
  supportNone: '{merchant} にお問い合わせください。',
  quote: '参照番号 {reference} をお伝えください。',
  language: '言語',
  languageSet: '適用',
}

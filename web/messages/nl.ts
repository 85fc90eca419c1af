import type { Messages } from './en.ts'

export const nl: Messages = {
  decimalMark: ',',
  groupMark: '.',

  title: '{merchant} betalen',

  chooseTitle: 'Kies hoe je betaalt',
  chooseHint: 'Verstuur vanuit je wallet of exchange op het netwerk dat je hier kiest.',
  chooseFirst: 'Kies eerst een token en een netwerk.',
  networkSlow: 'Vertraagd',
  usually: 'meestal {time}',
  recommended: 'Aanbevolen',
  usualFee: 'netwerkkosten ongeveer {fee}',
  seconds: '{n|one:# seconde|other:# seconden}',
  minutes: '{n|one:# minuut|other:# minuten}',
  proceed: 'Doorgaan',
  proceedWith: 'Doorgaan met {token} op {network}',
  working: 'Laden…',
  tokenOnNetwork: '{token} op {network}',
  change: 'Token of netwerk wijzigen',

  waitingTitle: 'We wachten op je betaling',
  waitingNext: 'Verstuur precies dit bedrag. Deze pagina wordt automatisch bijgewerkt.',
  choosingTitle: 'Alles staat klaar',
  seenTitle: 'Betaling gedetecteerd',
  seenNext: 'Je hoeft niets meer te doen. Wordt bevestigd op {network}, meestal binnen {time}.',
  seenPartNext: 'Ze wordt bevestigd. Er ontbreekt nog {due}: verstuur dat naar hetzelfde adres.',
  signedTitle: 'Betaling ondertekend',
  signedNext: 'Je hoeft niets meer te doen. {amount} wordt verstuurd op {network}.',
  sentTitle: 'Betaling verstuurd',
  sentNext: 'Je hoeft niets meer te doen. {amount} is onderweg op {network}.',
  unsentTitle: 'Betaling niet verstuurd',
  partialTitle: 'Er ontbreekt nog {due}',
  partialNext: '{received} van {expected} is binnen. Verstuur de rest naar hetzelfde adres.',
  paidTitle: 'Betaling bevestigd',
  paidNext: 'Klaar. {merchant} heeft bericht gekregen.',
  completedTitle: 'Betaling voltooid',
  completedNext: '{merchant} heeft je betaling ontvangen.',
  expiredTitle: 'Deze betaling is verlopen',
  expiredNext: 'Verstuur niets naar dit adres. Ga terug naar {merchant} om opnieuw te beginnen.',
  expiredAgainNext: 'Verstuur niets naar dit adres. Begin opnieuw om een nieuw adres te krijgen.',
  startAgain: 'Opnieuw beginnen',
  expiredPartNext:
    '{received} van {expected} kwam op tijd aan. {merchant} ziet het en kan het terugbetalen.',
  lateTitle: 'Late betaling ontvangen',
  lateNext:
    '{late} kwam binnen nadat de betaling was verlopen. {merchant} heeft bericht gekregen en kan het accepteren of terugbetalen.',
  overpaidTitle: 'Je hebt {overpaid} te veel verstuurd',
  overpaidNext:
    'Het extra bedrag van {overpaid} ging met je betaling naar {merchant}. Neem contact op met {merchant} voor een terugbetaling.',
  earlierNext:
    'Je hebt ook geld verstuurd naar een adres dat hier stond voor je opnieuw koos. {merchant} ziet het en kan het terugbetalen.',
  wrongTokenTitle: '{amount} ontvangen, maar in de verkeerde token',
  wrongNetworkTitle: '{amount} ontvangen, maar op het verkeerde netwerk',
  wrongNext:
    'Je geld op {network} is veilig, maar telt niet voor deze betaling. {merchant} beslist over een terugbetaling. Verstuur het niet nog eens: laat hieronder een terugbetalingsadres achter en neem contact op met {merchant}.',
  wrongPay: '{due} nu betalen',

  amountToSend: 'Precies bedrag',
  addressToSend: 'Adres',
  copy: 'Kopiëren',
  copied: 'Gekopieerd',
  copyAmount: 'Kopieer het precieze bedrag',
  copyAddress: 'Kopieer het adres',
  copyHash: 'Transactiehash kopiëren',
  amountCopied: 'Het bedrag is gekopieerd.',
  addressCopied: 'Het adres is gekopieerd.',
  hashCopied: 'Transactiehash gekopieerd.',
  copyRefused: 'Je browser staat kopiëren niet toe. Selecteer de tekst en kopieer hem zelf.',
  qrTitle: 'QR-code',
  qrShow: 'QR-code tonen',
  qrPlain: 'Alleen adres',
  qrRequest: 'Met bedrag',
  qrPlainLabel: 'QR-code van het adres',
  qrRequestLabel: 'QR-code van adres, token en bedrag',
  qrRequestHint: 'Niet elke wallet leest deze code. Controleer token en bedrag voor je verstuurt.',
  onlyThis: 'Verstuur alleen {token}, en alleen op {network}.',
  payBy: 'Betaal voor {time}',
  timeLeft: 'nog {time}',
  helpTitle: 'Wat als ik te laat of te weinig betaal?',
  helpLate:
    'Een betaling die te laat komt is niet weg. {merchant} krijgt bericht en kan haar aannemen of terugbetalen.',
  helpFees:
    'Exchanges houden vaak kosten in. Komt er te weinig aan, dan zegt deze pagina wat er ontbreekt, en verstuur je dat naar hetzelfde adres.',

  walletTitle: 'Betaal met een wallet',
  walletPay: 'Betaal met {wallet}',
  walletUnnamed: 'je wallet',
  walletConnecting: 'Maak verbinding in {wallet}.',
  walletSwitching: 'Schakel in {wallet} over naar {network}.',
  walletConfirming: 'Bevestig de betaling in {wallet}.',
  walletSigning: 'Onderteken de betaling in {wallet}.',
  walletDelivering: 'Ondertekend in {wallet}. Betaling wordt verstuurd…',
  walletSent: '{wallet} heeft de betaling verstuurd. Ze verschijnt hier zo.',
  walletDeclined: 'Je hebt in {wallet} geweigerd. Er is niets verstuurd.',
  walletBusy: '{wallet} heeft nog een verzoek openstaan. Beantwoord dat eerst.',
  walletElsewhere:
    '{wallet} zit nog op een ander netwerk. Schakel over naar {network} en probeer het opnieuw.',
  walletFailed:
    '{wallet} kon niet versturen. Controleer of er genoeg {token} is, en {coin} voor de netwerkkosten.',
  gasless: 'Geen {coin} nodig voor gas.',
  gasNeeded: 'Vereist {coin} voor de netwerkkosten.',
  byTransfer: 'Zelf overmaken',
  signDeclined: '{wallet} heeft de betaling niet ondertekend. Er is niets verstuurd.',
  signUnfit:
    'Deze wallet kan niet met een handtekening betalen. Er is niets verstuurd. Je kunt het bedrag zelf overmaken.',
  signLimit:
    'Betalen zonder gas is nu niet mogelijk. Er is niets verstuurd. Je kunt het bedrag zelf overmaken.',
  signLate:
    'De handtekening is verlopen voordat ze gebruikt kon worden. Er is niets verstuurd. Onderteken opnieuw.',
  signAmount:
    'Het openstaande bedrag is veranderd. Er is niets verstuurd. Onderteken opnieuw voor het nieuwe bedrag.',
  signUsed:
    'Deze handtekening is al gebruikt of ingetrokken. Er is niets verstuurd. Onderteken opnieuw.',
  signShort: 'Deze wallet bevat minder dan {due} op {network}. Er is niets verstuurd.',
  signInFlight: 'Er loopt al een andere betaling. Verder is er niets verstuurd.',
  signClosed: 'Deze betaling staat niet meer open. Er is niets verstuurd.',
  signBlocked:
    'Betalingen van deze wallet worden niet aangenomen. Er is niets verstuurd. Gebruik een andere wallet of neem contact op met {merchant}.',
  signPaused:
    '{token} kan nu niet worden overgemaakt. Er is niets verstuurd. Probeer het later opnieuw.',
  signFailed: 'Dat lukte niet. Er is niets verstuurd. Probeer het opnieuw.',
  signUndone:
    'Het netwerk heeft je betaling niet uitgevoerd. Onderteken opnieuw of maak zelf over.',
  signLost:
    'Je handtekening is misschien niet aangekomen. Probeer het opnieuw: je betaalt niet dubbel.',
  walletTab: 'Open in een nieuw tabblad om met een wallet te betalen',
  walletApp: 'Wallet-app openen',
  opensTab: 'opent in een nieuw tabblad',

  transfersTitle: 'Je betalingen',
  explorer: 'Bekijk in explorer',
  confirmations: 'Bevestigingen: {n} van {needed}',
  statusPending: 'Wordt bevestigd',
  statusConfirmed: 'Bevestigd',
  statusReverted: 'Mislukt',
  kindLate: 'Te laat',
  kindOther: 'Verkeerd token of netwerk',
  transferReturning: 'Terugbetaling van {amount} wordt verwerkt.',
  transferReturned: '{amount} terugbetaald.',

  hashTitle: 'Betaald maar niet zichtbaar?',
  hashLabel: 'Transactiehash',
  hashHint: '0x en 64 tekens. Je wallet of exchange toont hem bij de betaling.',
  hashSend: 'Betaling zoeken',
  hashWrong: 'Voer een transactiehash in: 0x gevolgd door 64 tekens.',
  lookupPayment: 'Betaling gevonden op {network}. Ze telt zodra ze bevestigd is.',
  lookupLate:
    'Betaling gevonden op {network}, maar na de vervaltijd ontvangen. Ze telt alleen als {merchant} haar accepteert.',
  lookupOtherNetwork:
    'Betaling gevonden op het juiste adres, maar op {network}, dat niet werd aangeboden. {merchant} kan haar zien. Neem contact op met {merchant}.',
  lookupOtherToken:
    'Betaling gevonden op het juiste adres op {network}, maar in een ander token. {merchant} kan haar zien. Neem contact op met {merchant}.',
  lookupElsewhere:
    'Transactie gevonden op {network}, maar ze betaalde niet aan dit adres. We hebben de tokenoverdrachten, de verstuurde munt en het saldo van het adres voor en na het blok gecontroleerd. Vergelijk het adres in je wallet.',
  lookupFailed:
    'Deze transactie is mislukt op {network}, dus er is niets verstuurd. Je kunt de betaling opnieuw versturen.',
  lookupNotMined:
    'Transactie gevonden op {network}, maar nog niet in een blok. Ze verschijnt hier zodra dat zo is. Verstuur de betaling niet opnieuw.',
  lookupUnknown:
    'We konden deze transactie op geen enkel ondersteund netwerk vinden. Controleer de hash en het netwerk.',
  lookupIncomplete:
    'Sommige netwerken hebben nog niet geantwoord. Een betaling naar dit adres verschijnt hier automatisch. Probeer het anders over een minuut opnieuw.',

  refundTitle: 'Terugbetalingsadres toevoegen',
  refundLabel: 'Je adres',
  refundHint:
    'Gebruik je eigen wallet op het netwerk waarop je betaalde, geen adres van een exchange.',
  refundSend: 'Bewaren',
  refundSaved: 'Terugbetalingen van {merchant} gaan naar {address}.',
  refundWrong: 'Voer een adres in: 0x gevolgd door 40 tekens.',

  tooOften: 'Te veel pogingen. Probeer het over een minuut opnieuw.',
  tryAgain: 'Dat lukte niet. Probeer het opnieuw.',
  offline: 'Verbinding verbroken. Opnieuw verbinden… Je betaling is veilig.',
  refresh: 'Deze pagina vernieuwen',
  refreshHint: 'Zonder JavaScript wordt deze pagina niet automatisch bijgewerkt.',

  receiptTitle: 'Betaalbewijs',
  receiptPaid: 'Betaald',
  receiptMerchant: 'Betaald aan',
  receiptFor: 'Voor',
  receiptAmount: 'Bedrag',
  receiptReceived: 'Ontvangen',
  receiptReference: 'Kenmerk',
  receiptPayer: 'Betaald vanaf',
  receiptDate: 'Datum',
  receiptTransaction: 'Transactie op {network}',
  receiptMail: 'Bon e-mailen',
  receiptEmail: 'E-mailadres voor de bon',
  receiptSend: 'Verzenden',
  receiptHint: 'Alleen gebruikt voor deze bon.',
  receiptWrong: 'Vul een e-mailadres in, zoals naam@example.com.',
  receiptSent: 'Bon verzonden. Deze komt binnen enkele minuten aan.',
  print: 'Betaalbewijs afdrukken',
  goBack: 'Terug naar {merchant}',
  close: 'Sluiten',

  support: 'Vragen over deze betaling?',
  supportEmail: 'Schrijf {merchant}',
  supportPage: 'Hulp van {merchant}',
  supportNone: 'Neem contact op met {merchant}.',
  quote: 'Vermeld referentie {reference}.',
  language: 'Taal',
  languageSet: 'Toepassen',
}

import type { Messages } from './en.ts'

export const nl: Messages = {
  decimalMark: ',',
  groupMark: '.',

  title: '{merchant} betalen',

  chooseTitle: 'Kies hoe je betaalt',
  chooseHint: 'Verstuur vanuit je wallet of exchange op het netwerk dat je hier kiest.',
  networkSlow: 'Vertraagd',
  usually: 'meestal {time}',
  seconds: '{n|one:# seconde|other:# seconden}',
  minutes: '{n|one:# minuut|other:# minuten}',
  proceed: 'Doorgaan',
  working: 'Laden…',
  tokenOnNetwork: '{token} op {network}',
  change: 'Token of netwerk wijzigen',

  waitingTitle: 'We wachten op je betaling',
  waitingNext: 'Verstuur precies dit bedrag. Deze pagina wordt automatisch bijgewerkt.',
  choosingTitle: 'Alles staat klaar',
  seenTitle: 'Betaling gedetecteerd',
  seenNext: 'Je hoeft niets meer te doen. Wordt bevestigd op {network}, meestal binnen {time}.',
  seenPartNext: 'Ze wordt bevestigd. Er ontbreekt nog {due}: verstuur dat naar hetzelfde adres.',
  partialTitle: 'Er ontbreekt nog {due}',
  partialNext: '{received} van {expected} is binnen. Verstuur de rest naar hetzelfde adres.',
  paidTitle: 'Betaling bevestigd',
  paidNext: 'Klaar. {merchant} heeft bericht gekregen.',
  completedTitle: 'Betaling voltooid',
  completedNext: '{merchant} heeft je betaling ontvangen.',
  expiredTitle: 'Deze betaling is verlopen',
  expiredNext: 'Verstuur niets naar dit adres. Ga terug naar {merchant} om opnieuw te beginnen.',
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

  amountToSend: 'Precies bedrag',
  addressToSend: 'Adres',
  copy: 'Kopiëren',
  copied: 'Gekopieerd',
  copyAmount: 'Kopieer het precieze bedrag',
  copyAddress: 'Kopieer het adres',
  amountCopied: 'Het bedrag is gekopieerd.',
  addressCopied: 'Het adres is gekopieerd.',
  copyRefused: 'Je browser staat kopiëren niet toe. Selecteer de tekst en kopieer hem zelf.',
  qrTitle: 'QR-code',
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

  walletTitle: 'Of betaal met een wallet',
  walletPay: 'Betaal met {wallet}',
  walletConnecting: 'Maak verbinding in {wallet}.',
  walletSwitching: 'Schakel in {wallet} over naar {network}.',
  walletConfirming: 'Bevestig de betaling in {wallet}.',
  walletSent: '{wallet} heeft de betaling verstuurd. Ze verschijnt hier zo.',
  walletDeclined: 'Je hebt in {wallet} geweigerd. Er is niets verstuurd.',
  walletBusy: '{wallet} heeft nog een verzoek openstaan. Beantwoord dat eerst.',
  walletElsewhere:
    '{wallet} zit nog op een ander netwerk. Schakel over naar {network} en probeer het opnieuw.',
  walletFailed:
    '{wallet} kon niet versturen. Controleer of er genoeg {token} is, en {coin} voor de netwerkkosten.',
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
  receiptMerchant: 'Betaald aan',
  receiptFor: 'Voor',
  receiptAmount: 'Bedrag',
  receiptReceived: 'Ontvangen',
  receiptReference: 'Kenmerk',
  receiptDate: 'Datum',
  receiptTransaction: 'Transactie op {network}',
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

import type { Messages } from './en.ts'

export const it: Messages = {
  decimalMark: ',',
  groupMark: '.',

  title: 'Paga {merchant}',

  chooseTitle: 'Scegli come pagare',
  chooseHint: 'Invia dal tuo wallet o exchange sulla rete che scegli qui.',
  networkSlow: 'In ritardo',
  usually: 'di solito {time}',
  seconds: '{n|one:# secondo|other:# secondi}',
  minutes: '{n|one:# minuto|other:# minuti}',
  proceed: 'Continua',
  working: 'Caricamento…',
  tokenOnNetwork: '{token} su {network}',
  change: 'Cambia token o rete',

  waitingTitle: 'In attesa del tuo pagamento',
  waitingNext: 'Invia l’importo esatto. Questa pagina si aggiorna automaticamente.',
  choosingTitle: 'Tutto pronto',
  seenTitle: 'Pagamento rilevato',
  seenNext: 'Non devi fare altro. In conferma su {network}, di solito entro {time}.',
  seenPartNext: 'È in fase di conferma. Mancano ancora {due}: inviali allo stesso indirizzo.',
  partialTitle: 'Mancano ancora {due}',
  partialNext: 'Sono arrivati {received} di {expected}. Invia il resto allo stesso indirizzo.',
  paidTitle: 'Pagamento confermato',
  paidNext: 'Fatto. {merchant} è stato avvisato.',
  completedTitle: 'Pagamento completato',
  completedNext: '{merchant} ha ricevuto il tuo pagamento.',
  expiredTitle: 'Questo pagamento è scaduto',
  expiredNext: 'Non inviare fondi a questo indirizzo. Torna da {merchant} per ricominciare.',
  expiredPartNext:
    'Sono arrivati in tempo {received} di {expected}. {merchant} lo vede e può restituirli.',
  lateTitle: 'Pagamento ricevuto in ritardo',
  lateNext:
    '{late} sono arrivati dopo la scadenza. {merchant} è stato avvisato e può accettarli o rimborsarli.',
  overpaidTitle: 'Hai inviato {overpaid} di troppo',
  overpaidNext:
    'L’eccedenza di {overpaid} è arrivata a {merchant} con il pagamento. Contatta {merchant} per un rimborso.',
  earlierNext:
    'Hai inviato denaro anche a un indirizzo mostrato qui prima della nuova scelta. {merchant} lo vede e può restituirlo.',

  amountToSend: 'Importo esatto',
  addressToSend: 'Indirizzo',
  copy: 'Copia',
  copied: 'Copiato',
  copyAmount: 'Copia l’importo esatto',
  copyAddress: 'Copia l’indirizzo',
  amountCopied: 'L’importo è copiato.',
  addressCopied: 'L’indirizzo è copiato.',
  copyRefused: 'Il tuo browser non permette di copiare. Seleziona il testo e copialo tu.',
  qrTitle: 'Codice QR',
  qrPlain: 'Solo indirizzo',
  qrRequest: 'Con importo',
  qrPlainLabel: 'Codice QR dell’indirizzo',
  qrRequestLabel: 'Codice QR di indirizzo, token e importo',
  qrRequestHint:
    'Non tutti i wallet leggono questo codice. Controlla token e importo prima di inviare.',
  onlyThis: 'Invia solo {token}, e solo su {network}.',
  payBy: 'Paga entro il {time}',
  timeLeft: 'ancora {time}',
  helpTitle: 'E se pago in ritardo o troppo poco?',
  helpLate:
    'Un pagamento in ritardo non è perso. {merchant} viene avvisato e può accettarlo o restituirlo.',
  helpFees:
    'Gli exchange spesso trattengono una commissione. Se arriva meno, questa pagina dice quanto manca, e lo invii allo stesso indirizzo.',

  walletTitle: 'Oppure paga con un wallet',
  walletPay: 'Paga con {wallet}',
  walletConnecting: 'Connettiti in {wallet}.',
  walletSwitching: 'Passa a {network} in {wallet}.',
  walletConfirming: 'Conferma il pagamento in {wallet}.',
  walletSent: '{wallet} ha inviato il pagamento. Comparirà qui a breve.',
  walletDeclined: 'Hai rifiutato in {wallet}. Non è stato inviato nulla.',
  walletBusy: '{wallet} ha una richiesta aperta. Rispondi prima a quella.',
  walletElsewhere: '{wallet} è ancora su un’altra rete. Passa a {network} e riprova.',
  walletFailed:
    '{wallet} non è riuscito a inviare. Controlla che ci siano abbastanza {token}, e {coin} per la commissione di rete.',
  walletTab: 'Apri in una nuova scheda per pagare con un wallet',
  walletApp: 'Apri app wallet',
  opensTab: 'si apre in una nuova scheda',

  transfersTitle: 'I tuoi pagamenti',
  explorer: 'Vedi nell’explorer',
  confirmations: 'Conferme: {n} di {needed}',
  statusPending: 'In conferma',
  statusConfirmed: 'Confermato',
  statusReverted: 'Fallito',
  kindLate: 'In ritardo',
  kindOther: 'Token o rete errati',
  transferReturning: 'Rimborso di {amount} in corso.',
  transferReturned: '{amount} rimborsati.',

  hashTitle: 'Hai pagato ma non si vede?',
  hashLabel: 'Hash della transazione',
  hashHint: '0x e 64 caratteri. Il tuo wallet o exchange lo mostra con il pagamento.',
  hashSend: 'Trova pagamento',
  hashWrong: 'Inserisci un hash di transazione: 0x seguito da 64 caratteri.',
  lookupPayment: 'Pagamento trovato su {network}. Vale appena è confermato.',
  lookupLate:
    'Pagamento trovato su {network}, ma arrivato dopo la scadenza. Vale solo se {merchant} lo accetta.',
  lookupOtherNetwork:
    'Pagamento trovato all’indirizzo giusto, ma su {network}, che non era offerta. {merchant} lo vede. Contatta {merchant}.',
  lookupOtherToken:
    'Pagamento trovato all’indirizzo giusto su {network}, ma in un altro token. {merchant} lo vede. Contatta {merchant}.',
  lookupElsewhere:
    'Transazione trovata su {network}, ma non ha pagato questo indirizzo. Abbiamo controllato i trasferimenti di token, la moneta inviata e il saldo dell’indirizzo prima e dopo il blocco. Confronta l’indirizzo nel tuo wallet.',
  lookupFailed:
    'Questa transazione è fallita su {network}, quindi non è stato inviato nulla. Puoi inviare di nuovo il pagamento.',
  lookupNotMined:
    'Transazione trovata su {network}, ma non ancora in un blocco. Comparirà qui quando lo sarà. Non inviare di nuovo il pagamento.',
  lookupUnknown:
    'Non troviamo questa transazione su nessuna rete supportata. Controlla l’hash e la rete.',
  lookupIncomplete:
    'Alcune reti non hanno ancora risposto. Un pagamento a questo indirizzo compare qui automaticamente. Altrimenti riprova tra un minuto.',

  refundTitle: 'Aggiungi indirizzo di rimborso',
  refundLabel: 'Il tuo indirizzo',
  refundHint: 'Usa il tuo wallet sulla rete con cui hai pagato, non un indirizzo di exchange.',
  refundSend: 'Salva',
  refundSaved: 'I rimborsi di {merchant} vanno a {address}.',
  refundWrong: 'Inserisci un indirizzo: 0x seguito da 40 caratteri.',

  tooOften: 'Troppi tentativi. Riprova tra un minuto.',
  tryAgain: 'Non ha funzionato. Riprova.',
  offline: 'Connessione persa. Riconnessione… Il tuo pagamento è al sicuro.',
  refresh: 'Aggiorna questa pagina',
  refreshHint: 'Senza JavaScript, questa pagina non si aggiorna automaticamente.',

  receiptTitle: 'Ricevuta',
  receiptMerchant: 'Pagato a',
  receiptFor: 'Per',
  receiptAmount: 'Importo',
  receiptReceived: 'Ricevuto',
  receiptReference: 'Riferimento',
  receiptDate: 'Data',
  receiptTransaction: 'Transazione su {network}',
  print: 'Stampa ricevuta',
  goBack: 'Torna a {merchant}',
  close: 'Chiudi',

  support: 'Domande su questo pagamento?',
  supportEmail: 'Scrivi a {merchant}',
  supportPage: 'Aiuto da {merchant}',
  supportNone: 'Contatta {merchant}.',
  quote: 'Indica il riferimento {reference}.',
  language: 'Lingua',
  languageSet: 'Applica',
}

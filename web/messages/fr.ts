import type { Messages } from './en.ts'

export const fr: Messages = {
  decimalMark: ',',
  groupMark: '\u202f',

  title: 'Payer {merchant}',

  chooseTitle: 'Choisissez comment payer',
  chooseHint: 'Envoyez depuis votre portefeuille ou votre plateforme, sur le réseau choisi ici.',
  chooseFirst: 'Choisissez d’abord un jeton et un réseau.',
  networkSlow: 'Retardé',
  usually: 'en général {time}',
  recommended: 'Recommandé',
  usualFee: 'frais de réseau environ {fee}',
  seconds: '{n|one:# seconde|other:# secondes}',
  minutes: '{n|one:# minute|other:# minutes}',
  proceed: 'Continuer',
  proceedWith: 'Continuer avec {token} sur {network}',
  working: 'Chargement…',
  tokenOnNetwork: '{token} sur {network}',
  change: 'Changer de jeton ou de réseau',

  waitingTitle: 'En attente de votre paiement',
  waitingNext: 'Envoyez le montant exact. Cette page se met à jour automatiquement.',
  choosingTitle: 'Tout est prêt',
  seenTitle: 'Paiement détecté',
  seenNext:
    'Vous n’avez plus rien à faire. Confirmation en cours sur {network}, en général en {time}.',
  seenPartNext:
    'Il est en cours de confirmation. Il manque encore {due} : envoyez-les à la même adresse.',
  signedTitle: 'Paiement signé',
  signedNext: 'Vous n’avez plus rien à faire. {amount} en cours d’envoi sur {network}.',
  sentTitle: 'Paiement envoyé',
  sentNext: 'Vous n’avez plus rien à faire. {amount} en route sur {network}.',
  unsentTitle: 'Paiement non envoyé',
  partialTitle: 'Il manque encore {due}',
  partialNext: '{received} sur {expected} sont arrivés. Envoyez le reste à la même adresse.',
  paidTitle: 'Paiement confirmé',
  paidNext: 'C’est terminé. {merchant} a été informé.',
  completedTitle: 'Paiement terminé',
  completedNext: '{merchant} a reçu votre paiement.',
  expiredTitle: 'Ce paiement a expiré',
  expiredNext:
    'N’envoyez pas de fonds à cette adresse. Retournez chez {merchant} pour recommencer.',
  expiredAgainNext:
    'N’envoyez pas de fonds à cette adresse. Recommencez pour en obtenir une nouvelle.',
  startAgain: 'Recommencer',
  expiredPartNext:
    '{received} sur {expected} sont arrivés à temps. {merchant} le voit et peut vous les rendre.',
  lateTitle: 'Paiement reçu en retard',
  lateNext:
    '{late} sont arrivés après le délai. {merchant} en a été informé et peut les accepter ou les rembourser.',
  overpaidTitle: 'Vous avez envoyé {overpaid} de trop',
  overpaidNext:
    'L’excédent de {overpaid} est parvenu à {merchant} avec votre paiement. Contactez {merchant} pour un remboursement.',
  earlierNext:
    'Vous avez aussi envoyé de l’argent à une adresse affichée ici avant votre nouveau choix. {merchant} le voit et peut le rendre.',
  wrongTokenTitle: '{amount} reçus, mais dans un autre jeton',
  wrongNetworkTitle: '{amount} reçus, mais sur un autre réseau',
  wrongNext:
    'Votre argent sur {network} est en sécurité, mais il ne compte pas pour ce paiement. {merchant} décide d’un remboursement. N’envoyez rien une seconde fois : indiquez ci-dessous une adresse de remboursement et contactez {merchant}.',
  wrongPay: 'Payer {due} maintenant',

  amountToSend: 'Montant exact',
  addressToSend: 'Adresse',
  copy: 'Copier',
  copied: 'Copié',
  copyAmount: 'Copier le montant exact',
  copyAddress: 'Copier l’adresse',
  copyHash: 'Copier le hash de la transaction',
  amountCopied: 'Le montant est copié.',
  addressCopied: 'L’adresse est copiée.',
  hashCopied: 'Hash de la transaction copié.',
  copyRefused:
    'Votre navigateur ne permet pas de copier. Sélectionnez le texte et copiez-le vous-même.',
  qrTitle: 'Code QR',
  qrShow: 'Afficher le code QR',
  qrPlain: 'Adresse seule',
  qrRequest: 'Avec le montant',
  qrPlainLabel: 'Code QR de l’adresse',
  qrRequestLabel: 'Code QR de l’adresse, du jeton et du montant',
  qrRequestHint:
    'Tous les portefeuilles ne lisent pas ce code. Vérifiez jeton et montant avant d’envoyer.',
  onlyThis: 'Envoyez seulement des {token}, et seulement sur {network}.',
  payBy: 'À payer avant le {time}',
  timeLeft: 'encore {time}',
  helpTitle: 'Et si je paie en retard ou trop peu ?',
  helpLate:
    'Un paiement en retard n’est pas perdu. {merchant} en est informé et peut l’accepter ou le rendre.',
  helpFees:
    'Les plateformes déduisent souvent des frais. S’il arrive trop peu, cette page dit ce qui manque, et vous l’envoyez à la même adresse.',

  walletTitle: 'Payer avec un portefeuille',
  walletPay: 'Payer avec {wallet}',
  walletUnnamed: 'votre portefeuille',
  walletConnecting: 'Connectez-vous dans {wallet}.',
  walletSwitching: 'Passez sur {network} dans {wallet}.',
  walletConfirming: 'Confirmez le paiement dans {wallet}.',
  walletSigning: 'Signez le paiement dans {wallet}.',
  walletDelivering: 'Signé dans {wallet}. Envoi du paiement…',
  walletSent: '{wallet} a envoyé le paiement. Il apparaîtra bientôt ici.',
  walletDeclined: 'Vous avez refusé dans {wallet}. Rien n’a été envoyé.',
  walletBusy: 'Une demande est ouverte dans {wallet}. Répondez-y d’abord.',
  walletElsewhere: '{wallet} est encore sur un autre réseau. Passez sur {network} et réessayez.',
  walletFailed:
    '{wallet} n’a pas pu envoyer. Vérifiez qu’il contient assez de {token}, et des {coin} pour les frais du réseau.',
  gasless: 'Aucun {coin} nécessaire pour le gas.',
  gasNeeded: 'Nécessite des {coin} pour les frais du réseau.',
  byTransfer: 'Envoyer un transfert',
  signDeclined: '{wallet} n’a pas signé le paiement. Rien n’a été envoyé.',
  signUnfit:
    'Ce portefeuille ne peut pas payer par signature. Rien n’a été envoyé. Vous pouvez envoyer un transfert.',
  signLimit:
    'Le paiement sans gas n’est pas disponible pour le moment. Rien n’a été envoyé. Vous pouvez envoyer un transfert.',
  signLate: 'La signature a expiré avant de pouvoir servir. Rien n’a été envoyé. Signez à nouveau.',
  signAmount:
    'Le montant dû a changé. Rien n’a été envoyé. Signez à nouveau pour le nouveau montant.',
  signUsed:
    'Cette signature a déjà été utilisée ou annulée. Rien n’a été envoyé. Signez à nouveau.',
  signShort: 'Ce portefeuille contient moins de {due} sur {network}. Rien n’a été envoyé.',
  signInFlight: 'Un autre paiement est déjà en cours. Rien d’autre n’a été envoyé.',
  signClosed: 'Ce paiement n’est plus ouvert. Rien n’a été envoyé.',
  signBlocked:
    'Les paiements de ce portefeuille ne sont pas acceptés. Rien n’a été envoyé. Utilisez un autre portefeuille ou contactez {merchant}.',
  signPaused:
    'Les {token} ne peuvent pas être transférés pour le moment. Rien n’a été envoyé. Réessayez plus tard.',
  signFailed: 'Cela n’a pas fonctionné. Rien n’a été envoyé. Réessayez.',
  signUndone: 'Le réseau n’a pas exécuté votre paiement. Signez à nouveau ou envoyez un transfert.',
  signLost:
    'Votre signature n’est peut-être pas arrivée. Réessayez : vous ne paierez pas deux fois.',
  walletTab: 'Ouvrir dans un nouvel onglet pour payer avec un portefeuille',
  walletApp: 'Ouvrir le portefeuille',
  opensTab: 's’ouvre dans un nouvel onglet',

  transfersTitle: 'Vos paiements',
  explorer: 'Voir dans l’explorateur',
  confirmations: 'Confirmations : {n} sur {needed}',
  statusPending: 'En confirmation',
  statusConfirmed: 'Confirmé',
  statusReverted: 'Échoué',
  kindLate: 'En retard',
  kindOther: 'Jeton ou réseau incorrect',
  transferReturning: 'Remboursement de {amount} en cours.',
  transferReturned: '{amount} remboursés.',

  hashTitle: 'Payé mais pas affiché ?',
  hashLabel: 'Hash de la transaction',
  hashHint: '0x et 64 caractères. Votre portefeuille ou plateforme l’affiche avec le paiement.',
  hashSend: 'Trouver le paiement',
  hashWrong: 'Saisissez un hash de transaction : 0x suivi de 64 caractères.',
  lookupPayment: 'Paiement trouvé sur {network}. Il compte dès qu’il est confirmé.',
  lookupLate:
    'Paiement trouvé sur {network}, mais arrivé après le délai. Il ne compte que si {merchant} l’accepte.',
  lookupOtherNetwork:
    'Paiement trouvé à la bonne adresse, mais sur {network}, qui n’était pas proposé. {merchant} le voit. Contactez {merchant}.',
  lookupOtherToken:
    'Paiement trouvé à la bonne adresse sur {network}, mais dans un autre jeton. {merchant} le voit. Contactez {merchant}.',
  lookupElsewhere:
    'Transaction trouvée sur {network}, mais elle n’a pas payé cette adresse. Nous avons vérifié ses transferts de jetons, la monnaie envoyée et le solde de l’adresse avant et après son bloc. Comparez l’adresse dans votre portefeuille.',
  lookupFailed:
    'Cette transaction a échoué sur {network} : rien n’a été envoyé. Vous pouvez renvoyer le paiement.',
  lookupNotMined:
    'Transaction trouvée sur {network}, mais pas encore dans un bloc. Elle apparaîtra ici dès que possible. N’envoyez pas le paiement une seconde fois.',
  lookupUnknown:
    'Cette transaction est introuvable sur les réseaux pris en charge. Vérifiez le hash et le réseau.',
  lookupIncomplete:
    'Certains réseaux n’ont pas encore répondu. Un paiement à cette adresse apparaîtra ici automatiquement. Sinon, réessayez dans une minute.',

  refundTitle: 'Ajouter une adresse de remboursement',
  refundLabel: 'Votre adresse',
  refundHint:
    'Utilisez votre propre portefeuille sur le réseau de votre paiement, pas une adresse de plateforme.',
  refundSend: 'Enregistrer',
  refundSaved: 'Les remboursements de {merchant} seront envoyés à {address}.',
  refundWrong: 'Saisissez une adresse : 0x suivi de 40 caractères.',

  tooOften: 'Trop de tentatives. Réessayez dans une minute.',
  tryAgain: 'Cela n’a pas marché. Réessayez.',
  offline: 'Connexion perdue. Reconnexion… Votre paiement est en sécurité.',
  refresh: 'Actualiser cette page',
  refreshHint: 'Sans JavaScript, cette page ne se met pas à jour automatiquement.',

  receiptTitle: 'Reçu',
  receiptPaid: 'Payé',
  receiptMerchant: 'Payé à',
  receiptFor: 'Pour',
  receiptAmount: 'Montant',
  receiptReceived: 'Reçu',
  receiptReference: 'Référence',
  receiptPayer: 'Payé depuis',
  receiptDate: 'Date',
  receiptTransaction: 'Transaction sur {network}',
  receiptMail: 'Envoyer le reçu par e-mail',
  receiptEmail: 'E-mail pour le reçu',
  receiptSend: 'Envoyer',
  receiptHint: 'Utilisé uniquement pour ce reçu.',
  receiptWrong: 'Saisissez une adresse e-mail, par exemple nom@example.com.',
  receiptSent: 'Reçu envoyé. Il arrivera dans quelques minutes.',
  print: 'Imprimer le reçu',
  goBack: 'Retour à {merchant}',
  close: 'Fermer',

  support: 'Une question sur ce paiement ?',
  supportEmail: 'Écrire à {merchant}',
  supportPage: 'Aide de {merchant}',
  supportNone: 'Contactez {merchant}.',
  quote: 'Indiquez la référence {reference}.',
  language: 'Langue',
  languageSet: 'Appliquer',
}

import type { Translated } from '../../translated.ts'
import type { recipient as en } from '../en/recipient.ts'

export const recipient: Translated<typeof en> = {
  recipientTitle: 'Wohin Ihr Geld geht',
  recipientNone: 'Es gibt noch keine Adresse. Was gezahlt wird, wird bis dahin sicher verwahrt.',
  recipientChange: 'Adresse ändern',
  recipientSet: 'Adresse festlegen',
  recipientNew: 'Neue Adresse',
  recipientNewHint:
    'Ein Konto von Ihnen in jedem Netzwerk, genau so wie Ihre Wallet oder ein Explorer es zeigt: Groß- und Kleinbuchstaben prüfen einander.',
  recipientNext: 'Weiter',
  recipientReview: 'Ist das Ihre Adresse?',
  recipientReviewHint:
    'Vergleichen Sie sie Zeichen für Zeichen mit Ihrer Wallet. Was an eine falsche Adresse geht, ist verloren.',
  recipientReviewDelay:
    'Sie gilt in {n|one:# Stunde|other:# Stunden}. Bis dahin können Auszahlungen warten, alle Inhaber erfahren es per E-Mail, und jeder von ihnen kann es abbrechen.',
  recipientReviewNow: 'Sie gilt sofort, und alle Inhaber erfahren es per E-Mail.',
  recipientSend: 'Geld an {address} senden',
  recipientWaits: 'Eine andere Adresse wartet',
  recipientWaitsHint:
    '{who} hat sie beantragt. Auszahlungen können bis dahin warten; nichts geht verloren.',
  recipientInForce: 'Gilt',
  recipientNeedsApproval: 'Eine andere Person muss zustimmen, bevor die Frist beginnt.',
  recipientCancel: 'Änderung abbrechen',
  recipientCancelTitle: 'Diese Änderung abbrechen?',
  recipientCancelHint: 'Ihr Geld geht weiter an {address}.',
  recipientCancelNone: 'Dann gibt es weiterhin keine Adresse.',
  recipientReadOnly: 'Nur Inhaber ändern die Adresse.',
  recipientBefore: 'Frühere Änderungen',
  recipientEnded: '{who}, beendet von {by}',
  change_needs_approval: 'Zustimmung fehlt',
  change_waiting: 'Wartet',
  change_in_force: 'Gilt',
  change_cancelled: 'Abgebrochen',
  change_refused: 'Abgelehnt',
  change_expired: 'Abgelaufen',
  change_replaced: 'Vom Betreiber ersetzt',
  change_impossible: 'Nicht möglich',
  stopTitle: 'Diese Änderung stoppen?',
  stopHint:
    '{who} möchte, dass das Geld von {merchant} an eine andere Adresse geht. Ist das falsch, brechen Sie es ab: Alles bleibt, wie es ist.',
  stopDone: 'Die Änderung ist abgebrochen',
  stopDoneNext:
    'Ihr Geld geht dorthin, wohin es bisher ging. Sehen Sie nach, wer Mitglied ist und welche Schlüssel gelten: Wer dies beantragt hat, kann es wieder tun.',
  stopOver: 'Diese Änderung ist vorbei',
  stopInForce:
    'Sie gilt bereits. Melden Sie sich an, legen Sie die Adresse neu fest und sagen Sie sofort denen Bescheid, die diese Installation betreiben.',
  stopOverNext: 'Sie ist bereits beendet: {status}.',
  stopGone: 'Dieser Link funktioniert nicht',
  stopGoneNext:
    'Vielleicht fehlt ein Teil davon. Kopieren Sie den ganzen Link aus der E-Mail, oder melden Sie sich an und brechen Sie die Änderung unter Einstellungen ab.',
}

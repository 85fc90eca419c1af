import type { Translated } from '../../translated.ts'
import type { approvals as en } from '../en/approvals.ts'

export const approvals: Translated<typeof en> = {
  approvalsTitle: 'Braucht eine zweite Person',
  approvalsNone: 'Nichts wartet auf eine zweite Person.',
  approvalsBefore: 'Früher entschieden',
  approvalRecipient: 'Geld ab jetzt an diese Adresse senden',
  approvalRefund: '{amount} für Rechnung {reference} erstatten',
  approvalRefundOther: 'Erstattung für Rechnung {reference}',
  approvalPolicy: 'Ändern, was eine zweite Person braucht: {rules}',
  approvalAsked: '{who} hat es beantragt.',
  approvalUntil: 'Endet von selbst',
  approvalVotes: 'Zugestimmt hat {who}; eine weitere Person fehlt.',
  approvalTwo: 'Mit einem Schlüssel beantragt: Zwei Personen müssen zustimmen.',
  approvalOwn: 'Sie haben es beantragt, also muss eine andere Person zustimmen.',
  approvalNotYours: 'Inhaber und Personen der Finanzen stimmen zu oder lehnen ab.',
  approvalApprove: 'Zustimmen',
  approvalRefuse: 'Ablehnen',
  approvalTakeBack: 'Zurücknehmen',
  approval_open: 'Zustimmung fehlt',
  approval_approved: 'Zugestimmt',
  approval_refused: 'Abgelehnt',
  approval_expired: 'Abgelaufen',
  policyTitle: 'Eine zweite Person',
  policyHint:
    'Ein anderer Inhaber oder jemand aus den Finanzen muss binnen drei Tagen zustimmen. Was ein Schlüssel beantragt, braucht zwei Personen.',
  policyRecipient: 'Änderungen, wohin das Geld geht, brauchen eine zweite Person',
  policyRefunds: 'Erstattungen über diesem Betrag brauchen eine zweite Person',
  policyRefundsHint:
    'In ganzen Token, gleich welchen. Leer für keine. Token, die nicht gelistet sind, brauchen immer eine.',
  policySave: 'Regeln festlegen',
  policySaved: 'Gespeichert. Die Regeln gelten ab jetzt.',
  policyAsked: 'Beantragt. Die Regeln ändern sich, wenn eine andere Person zugestimmt hat.',
  policyNone: 'nichts',
  policyRuleRecipient: 'wohin das Geld geht',
  policyRuleRefunds: 'Erstattungen über {amount}',
  policyReadOnly: 'Jetzt: {rules}. Nur Inhaber ändern das.',
}

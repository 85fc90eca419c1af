import type { Translated } from '../../translated.ts'
import type { approvals as en } from '../en/approvals.ts'

export const approvals: Translated<typeof en> = {
  approvalsTitle: 'Braucht eine zweite Person',
  approvalsNone: 'Nichts wartet auf eine zweite Person.',
  approvalsBefore: 'Früher entschieden',
  approvalRecipient: 'Geld ab jetzt an diese Adresse senden',
  approvalRefund: '{amount} für Rechnung {reference} erstatten',
  approvalRefundX402: '{amount} einer x402-Zahlung erstatten',
  approvalRefundOther: 'Erstattung für Rechnung {reference}',
  approvalPolicy: 'Ändern, was eine zweite Person braucht: {rules}',
  approvalAddress: 'Rechnungen und x402-Zahlungen an diese Adresse zulassen',
  approvalRemoval: '{name} entfernen',
  approvalRole: '{name} erhält die Rolle {role}',
  approvalAsked: '{who} hat es beantragt.',
  approvalUntil: 'Endet von selbst',
  approvalVotes: 'Zugestimmt hat {who}; eine weitere Person fehlt.',
  approvalTwo: 'Mit einem Schlüssel beantragt: Zwei Personen müssen zustimmen.',
  approvalOwn: 'Sie haben es beantragt, also muss eine andere Person zustimmen.',
  approvalTooNew:
    'Sie haben diese Rolle noch keinen Tag vor dem Antrag gehabt, also muss eine andere Person zustimmen.',
  approvalGiven: 'Sie haben zugestimmt. Es muss noch eine andere Person zustimmen.',
  approvalMeant: 'Es geht um Sie, also entscheiden andere.',
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
    'Ein anderer Inhaber oder jemand aus den Finanzen muss binnen drei Tagen zustimmen. Was ein Schlüssel beantragt, braucht zwei Personen. Solange eine Regel gilt, werden auch Inhaber und Personen der Finanzen nur so entfernt.',
  policyRecipient: 'Änderungen, wohin das Geld geht, brauchen eine zweite Person',
  policyRefunds:
    'Erstattungen von mehr als diesem Betrag binnen 24 Stunden brauchen eine zweite Person',
  policyRefundsHint:
    'In ganzen Token, gleich welchen; alle Erstattungen binnen 24 Stunden zusammen, denen keine zweite Person zugestimmt hat. Leer für keine. Token, die nicht gelistet sind, brauchen immer eine.',
  policySave: 'Regeln festlegen',
  policySaved: 'Gespeichert. Die Regeln gelten ab jetzt.',
  policyAsked: 'Beantragt. Die Regeln ändern sich, wenn eine andere Person zugestimmt hat.',
  policyNone: 'nichts',
  policyRuleRecipient: 'wohin das Geld geht',
  policyRuleRefunds: 'Erstattungen über {amount}',
  approvedTitle: 'Adressen, an die Geld gehen darf',
  approvedHint:
    'Solange Änderungen, wohin das Geld geht, eine zweite Person brauchen, gehen Rechnungen mit eigener Adresse und x402-Zahlungen nur an diese und an Ihre eigene.',
  approvedNew: 'Weitere Adresse',
  approvedAdd: 'Adresse hinzufügen',
  approvedSaved: 'Hinzugefügt.',
  approvedAsked:
    'Beantragt. Sie gilt, wenn eine andere Person zugestimmt hat und die Frist für Änderungen Ihrer Adresse vorbei ist.',
  approvedAlone:
    'Nicht genehmigt: erneut hinzufügen und von einer anderen Person genehmigen lassen.',
  approvedFrom: 'Gilt ab:',
  policyReadOnly: 'Jetzt: {rules}. Nur Inhaber ändern das.',
}

import type { Translated } from '../../translated.ts'
import type { approvals as en } from '../en/approvals.ts'

export const approvals: Translated<typeof en> = {
  approvalsTitle: 'Freigaben',
  approvalsPast: 'Frühere Anträge',
  approvalRecipient: 'Auszahlungsadresse ändern',
  approvalRefund: 'Rückerstattung von {amount} für Rechnung {reference}',
  approvalRefundX402: 'Rückerstattung von {amount} einer x402-Zahlung',
  approvalPolicy: 'Freigaberegeln ändern: {rules}',
  approvalAddress: 'Auszahlungen an diese Adresse erlauben',
  approvalRole: 'Rolle von {name} ändern: {role}',
  approvalRequestedBy: 'Beantragt von {who}.',
  approvalVotes: 'Freigegeben von {who}; eine weitere Freigabe fehlt.',
  approvalTwo: 'Mit einem API-Schlüssel beantragt, daher sind zwei Freigaben nötig.',
  approvalOwn: 'Eigene Anträge können Sie nicht freigeben.',
  approvalTooNew:
    'Sie hatten diese Rolle bei Antragstellung seit weniger als einem Tag. Ein anderes Mitglied muss freigeben.',
  approvalGiven: 'Sie haben diesen Antrag freigegeben. Eine weitere Freigabe fehlt.',
  approvalAboutYou: 'Anträge, die Sie selbst betreffen, können Sie nicht freigeben.',
  approvalNotYours:
    'Nur Inhaber und Mitglieder mit der Rolle Finanzen können Anträge freigeben oder ablehnen.',
  approvalApprove: 'Freigeben',
  approvalRefuse: 'Ablehnen',
  approvalWithdraw: 'Antrag zurückziehen',
  approval_open: 'Freigabe erforderlich',
  approval_approved: 'Freigegeben',
  approval_refused: 'Abgelehnt',
  approval_expired: 'Abgelaufen',
  policyTitle: 'Vier-Augen-Freigabe',
  policyHint:
    'Ein Inhaber oder ein Mitglied mit der Rolle Finanzen muss innerhalb von 3 Tagen freigeben. Für Anträge mit einem API-Schlüssel sind zwei Freigaben erforderlich. Solange eine Regel aktiv ist, muss auch das Entfernen von Inhabern und Finanzmitgliedern freigegeben werden.',
  policyRecipient: 'Freigabe für Änderungen der Auszahlungsadresse',
  policyRefunds: 'Freigabe für Rückerstattungen über',
  policyRefundsHint:
    'Summe der nicht freigegebenen Rückerstattungen in 24 Stunden, in ganzen Token jeder Art. Leer lassen für keine Grenze. Rückerstattungen in nicht gelisteten Token müssen immer freigegeben werden.',
  policySave: 'Regeln speichern',
  policySaved: 'Freigaberegeln gespeichert.',
  policyRequested: 'Beantragt. Die Regeln gelten, sobald der Antrag freigegeben ist.',
  policyNone: 'keine',
  policyRuleRecipient: 'Auszahlungsadresse',
  policyRuleRefunds: 'Rückerstattungen über {amount}',
  approvedTitle: 'Freigegebene Auszahlungsadressen',
  approvedHint:
    'Solange Änderungen der Auszahlungsadresse eine Freigabe brauchen, zahlen Rechnungen mit eigenem Empfänger und x402-Zahlungen nur an diese Adressen und an Ihre Auszahlungsadresse aus.',
  approvedSaved: 'Adresse hinzugefügt.',
  approvedRequested:
    'Beantragt. Sie gilt, sobald sie freigegeben und die Wartezeit für Adressänderungen vorbei ist.',
  approvedAlone: 'Nicht freigegeben. Fügen Sie sie erneut hinzu, um die Freigabe zu beantragen.',
  approvedFrom: 'Aktiv ab:',
  policyReadOnly: 'Aktuelle Regeln: {rules}. Nur Inhaber können sie ändern.',
}

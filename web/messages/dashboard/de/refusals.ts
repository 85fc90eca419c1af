import type { Translated } from '../../translated.ts'
import type { refusals as en } from '../en/refusals.ts'

export const refusals: Translated<typeof en> = {
  refusal_second_factor_required:
    'Ihre Rolle verlangt einen Authenticator. Richten Sie ihn unter Sicherheit ein.',
  refusal_recipient_change_open: 'Eine andere Änderung wartet. Brechen Sie sie zuerst ab.',
  refusal_recipient_change_not_found: 'Diese Änderung ist schon vorbei.',
  refusal_approval_open: 'Eine andere Änderung der Regeln wartet auf eine zweite Person.',
  refusal_approval_ended: 'Diese Anfrage ist schon vorbei.',
  refusal_approval_not_found: 'Diese Anfrage ist schon vorbei.',
  refusal_approver_missing:
    'Niemand sonst könnte zustimmen. Laden Sie jemanden als Inhaber oder für Finanzen ein, mit Authenticator.',
  refusal_last_owner: 'Das ist der letzte Inhaber. Machen Sie zuerst jemand anderen dazu.',
  refusal_refund_settled:
    'Dieses Geld ist bei Ihrer eigenen Adresse. Senden Sie es von dort zurück.',
  refusal_refund_address_not_allowed: 'Erstattungen gehen an den Absender der Zahlung.',
  refusal_invoice_already_paid: 'Die Rechnung ist schon bezahlt.',
  refusal_nothing_received: 'Es ist noch nichts angekommen.',
  refusal_transaction_not_late: 'Diese Zahlung kam rechtzeitig.',
  refusal_transaction_reverted: 'Diese Zahlung ist nicht mehr im Netzwerk.',
  refusal_transaction_refunded: 'Diese Zahlung wird erstattet.',
  refusal_transfer_already_recorded: 'Diese Überweisung ist schon eingetragen.',
  refusal_endpoint_conflict: 'Für diese URL gibt es schon einen Endpunkt.',
  refusal_endpoint_disabled: 'Dieser Endpunkt ist abgeschaltet.',
  refusal_too_many_endpoints: 'Es gibt zu viele Endpunkte. Entfernen Sie zuerst einen.',
  refusal_external_ref_conflict: 'Eine andere Rechnung hat diese Referenz.',
  refusal_service_unavailable: 'Der Dienst ist beschäftigt. Versuchen Sie es gleich noch einmal.',
  refusal_invalid_request_body: 'Etwas an den Eingaben kann nicht stimmen.',
  refusal_invalid_recipient: 'An diese Adresse kann kein Geld gehen.',
  refusal_other_person_required: 'Dem muss eine andere Person zustimmen.',
  refusal_refund_not_possible: 'Diese Erstattung ist nicht möglich.',
  refusal_refund_of_too_many_payments:
    'Dieser Betrag verteilt sich auf zu viele Zahlungen. Erstatten Sie ihn in mehreren Teilen.',
  refusal_transfer_not_shown: 'Das Netzwerk zeigt diese Überweisung nicht.',
  refusal_order_not_possible: 'Darüber wurde schon entschieden. Laden Sie die Seite neu.',
  refusal_scenario_not_possible: 'Dieses Szenario ist hier nicht möglich.',
  refusal_unauthorized: 'Sie sind abgemeldet. Melden Sie sich an und wiederholen Sie es.',
  refusal_idempotency_key_in_flight: 'Das wird gerade ausgeführt. Warten Sie einen Moment.',
  refusal_unknown_chain: 'Dieses Netzwerk gibt es hier nicht.',
  refusal_no_supported_chains: 'Keines dieser Netzwerke hat diesen Token.',
  refusal_chain_not_local: 'Nur die Uhren von Entwicklungsnetzwerken lassen sich stellen.',
  refusal_body_too_large: 'Die Datei ist zu groß.',
  refusal_rate_unavailable:
    'Gerade gibt es keinen Wechselkurs. Versuchen Sie es in einigen Minuten noch einmal.',
  refusal_INVITATION_NEEDED: 'Dafür braucht Ihre Adresse eine Einladung.',
  refusal_INVALID_NAME: 'Der Name muss 1 bis 80 Zeichen haben, in einer Zeile.',
  refusal_INVALID_EMAIL: 'Das muss eine E-Mail-Adresse sein, wie ada@example.com.',
  refusal_PASSWORD_REFUSED:
    'Dieses Passwort ist zu leicht zu erraten. Nehmen Sie mindestens 12 Zeichen aus mehreren eigenen Wörtern.',
  refusalGone: 'Das gibt es nicht mehr. Laden Sie die Seite neu.',
  refusalOther:
    'Das wurde abgelehnt. Laden Sie die Seite neu, prüfen Sie die Eingaben und versuchen Sie es noch einmal.',
  refusalFault: 'Bei uns ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal.',
}

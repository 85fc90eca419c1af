import type { Translated } from '../../translated.ts'
import type { refusals as en } from '../en/refusals.ts'

export const refusals: Translated<typeof en> = {
  refusal_second_factor_required: 'Ihre Rolle erfordert 2FA. Richten Sie sie unter Sicherheit ein.',
  refusal_recipient_change_open: 'Eine andere Änderung steht aus. Brechen Sie diese zuerst ab.',
  refusal_recipient_change_not_found: 'Diese Änderung ist bereits beendet.',
  refusal_approval_open: 'Eine andere Regeländerung wartet auf Freigabe.',
  refusal_approval_ended: 'Dieser Antrag ist bereits beendet.',
  refusal_approval_not_found: 'Dieser Antrag ist bereits beendet.',
  refusal_approver_missing:
    'Niemand sonst kann das freigeben. Laden Sie einen weiteren Inhaber oder ein Finanzmitglied mit 2FA ein.',
  refusal_last_owner:
    'Das ist der letzte Inhaber. Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
  refusal_refund_settled:
    'Dieses Geld wurde an Sie ausgezahlt. Senden Sie die Rückerstattung aus Ihrer eigenen Wallet.',
  refusal_refund_address_not_allowed: 'Rückerstattungen gehen nur an den Absender der Zahlung.',
  refusal_invoice_already_paid: 'Diese Rechnung ist bereits bezahlt.',
  refusal_nothing_received: 'Noch keine Zahlung eingegangen.',
  refusal_transaction_not_late: 'Diese Zahlung war nicht verspätet.',
  refusal_transaction_reverted: 'Diese Zahlung wurde vom Netzwerk rückgängig gemacht.',
  refusal_transaction_refunded: 'Diese Zahlung wird rückerstattet.',
  refusal_transfer_already_recorded: 'Diese Überweisung ist bereits erfasst.',
  refusal_endpoint_conflict: 'Für diese URL gibt es bereits einen Endpunkt.',
  refusal_endpoint_disabled: 'Dieser Endpunkt ist deaktiviert.',
  refusal_too_many_endpoints:
    'Die maximale Anzahl an Endpunkten ist erreicht. Löschen Sie zuerst einen.',
  refusal_external_ref_conflict: 'Eine andere Rechnung hat bereits diese Bestellnummer.',
  refusal_service_unavailable: 'Der Dienst ist ausgelastet. Versuchen Sie es gleich erneut.',
  refusal_invalid_request_body: 'Prüfen Sie das Formular: Ein Wert ist ungültig.',
  refusal_invalid_recipient: 'An diese Adresse kann nicht ausgezahlt werden.',
  refusal_other_person_required: 'Ein anderes Mitglied muss das freigeben.',
  refusal_refund_not_possible: 'Diese Zahlung kann nicht rückerstattet werden.',
  refusal_refund_of_too_many_payments:
    'Dieser Betrag umfasst zu viele Zahlungen. Teilen Sie ihn in mehrere Rückerstattungen auf.',
  refusal_transfer_not_shown: 'Diese Überweisung wurde im Netzwerk nicht gefunden.',
  refusal_order_not_possible: 'Das wurde bereits entschieden. Laden Sie die Seite neu.',
  refusal_scenario_not_possible: 'Dieses Szenario kann hier nicht ausgeführt werden.',
  refusal_unauthorized: 'Sie sind abgemeldet. Melden Sie sich an und versuchen Sie es erneut.',
  refusal_idempotency_key_in_flight: 'Diese Anfrage wird verarbeitet. Warten Sie einen Moment.',
  refusal_unknown_chain: 'Dieses Netzwerk wird nicht unterstützt.',
  refusal_no_supported_chains: 'Keines dieser Netzwerke unterstützt diesen Token.',
  refusal_chain_not_local: 'Nur die Uhren von Entwicklungs-Chains können geändert werden.',
  refusal_body_too_large: 'Diese Datei ist zu groß.',
  refusal_rate_unavailable:
    'Kein Wechselkurs verfügbar. Versuchen Sie es in einigen Minuten erneut.',
  refusal_INVITATION_NEEDED: 'Sie brauchen eine Einladung an diese Adresse.',
  refusal_INVALID_NAME: 'Geben Sie 1 bis 80 Zeichen in einer Zeile ein.',
  refusal_INVALID_EMAIL: 'Geben Sie eine E-Mail-Adresse ein, z. B. ada@example.com.',
  refusal_PASSWORD_REFUSED:
    'Dieses Passwort ist zu leicht zu erraten. Verwenden Sie mindestens 12 Zeichen, etwa mehrere zufällige Wörter.',
  refusalGone: 'Das gibt es nicht mehr. Laden Sie die Seite neu.',
  refusalOther: 'Das hat nicht funktioniert. Prüfen Sie das Formular und versuchen Sie es erneut.',
  refusalFault: 'Bei uns ist ein Fehler aufgetreten. Versuchen Sie es gleich erneut.',
}

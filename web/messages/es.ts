import type { Messages } from './en.ts'

export const es: Messages = {
  decimalMark: ',',
  groupMark: '.',

  title: 'Pagar a {merchant}',

  chooseTitle: 'Elija cómo pagar',
  chooseHint: 'Envíe desde su monedero o exchange por la red que elija aquí.',
  networkSlow: 'Con retraso',
  usually: 'normalmente {time}',
  seconds: '{n|one:# segundo|other:# segundos}',
  minutes: '{n|one:# minuto|other:# minutos}',
  proceed: 'Continuar',
  working: 'Cargando…',
  tokenOnNetwork: '{token} en {network}',
  change: 'Cambiar token o red',

  waitingTitle: 'Esperando su pago',
  waitingNext: 'Envíe el importe exacto. Esta página se actualiza automáticamente.',
  choosingTitle: 'Todo listo',
  seenTitle: 'Pago detectado',
  seenNext: 'No tiene que hacer nada más. Confirmándose en {network}, normalmente en {time}.',
  seenPartNext: 'Se está confirmando. Aún faltan {due}: envíelos a la misma dirección.',
  partialTitle: 'Aún faltan {due}',
  partialNext: 'Han llegado {received} de {expected}. Envíe el resto a la misma dirección.',
  paidTitle: 'Pago confirmado',
  paidNext: 'Listo. {merchant} ha recibido la notificación.',
  completedTitle: 'Pago completado',
  completedNext: '{merchant} ha recibido su pago.',
  expiredTitle: 'Este pago ha caducado',
  expiredNext: 'No envíe fondos a esta dirección. Vuelva a {merchant} para empezar de nuevo.',
  expiredPartNext:
    'Llegaron a tiempo {received} de {expected}. {merchant} lo ve y puede devolvérselo.',
  lateTitle: 'Pago recibido fuera de plazo',
  lateNext:
    '{late} llegaron después del plazo. {merchant} ha sido notificado y puede aceptarlos o reembolsarlos.',
  overpaidTitle: 'Ha enviado {overpaid} de más',
  overpaidNext:
    'El exceso de {overpaid} llegó a {merchant} con su pago. Contacte con {merchant} para un reembolso.',
  earlierNext:
    'También envió dinero a una dirección que se mostró aquí antes de que cambiara su elección. {merchant} lo ve y puede devolverlo.',

  amountToSend: 'Importe exacto',
  addressToSend: 'Dirección',
  copy: 'Copiar',
  copied: 'Copiado',
  copyAmount: 'Copiar el importe exacto',
  copyAddress: 'Copiar la dirección',
  amountCopied: 'El importe está copiado.',
  addressCopied: 'La dirección está copiada.',
  copyRefused: 'Su navegador no permite copiar. Seleccione el texto y cópielo usted.',
  qrTitle: 'Código QR',
  qrPlain: 'Solo dirección',
  qrRequest: 'Con importe',
  qrPlainLabel: 'Código QR de la dirección',
  qrRequestLabel: 'Código QR de la dirección, el token y el importe',
  qrRequestHint:
    'No todos los monederos leen este código. Compruebe token e importe antes de enviar.',
  onlyThis: 'Envíe solo {token}, y solo por {network}.',
  payBy: 'Pague antes del {time}',
  timeLeft: 'quedan {time}',
  helpTitle: '¿Y si pago tarde o de menos?',
  helpLate:
    'Un pago que llega tarde no se pierde. {merchant} recibe el aviso y puede aceptarlo o devolverlo.',
  helpFees:
    'Los exchanges suelen descontar una comisión. Si llega menos, esta página dice cuánto falta y usted lo envía a la misma dirección.',

  walletTitle: 'O pague con un monedero',
  walletPay: 'Pagar con {wallet}',
  walletConnecting: 'Conéctese en {wallet}.',
  walletSwitching: 'Cambie a {network} en {wallet}.',
  walletConfirming: 'Confirme el pago en {wallet}.',
  walletSent: '{wallet} ha enviado el pago. Aparecerá aquí en breve.',
  walletDeclined: 'Lo ha rechazado en {wallet}. No se ha enviado nada.',
  walletBusy: '{wallet} tiene una solicitud abierta. Respóndala primero.',
  walletElsewhere: '{wallet} sigue en otra red. Cámbielo a {network} e inténtelo de nuevo.',
  walletFailed:
    '{wallet} no pudo enviarlo. Compruebe que tiene suficiente {token}, y {coin} para la comisión de la red.',
  walletTab: 'Abrir en otra pestaña para pagar con un monedero',
  walletApp: 'Abrir app de monedero',
  opensTab: 'se abre en otra pestaña',

  transfersTitle: 'Sus pagos',
  explorer: 'Ver en el explorador',
  confirmations: 'Confirmaciones: {n} de {needed}',
  statusPending: 'Confirmándose',
  statusConfirmed: 'Confirmado',
  statusReverted: 'Fallido',
  kindLate: 'Tarde',
  kindOther: 'Token o red incorrectos',
  transferReturning: 'Reembolso de {amount} en curso.',
  transferReturned: '{amount} reembolsados.',

  hashTitle: '¿Ha pagado y no aparece?',
  hashLabel: 'Hash de la transacción',
  hashHint: '0x y 64 caracteres. Su monedero o exchange lo muestra junto al pago.',
  hashSend: 'Buscar pago',
  hashWrong: 'Introduzca un hash de transacción: 0x y 64 caracteres.',
  lookupPayment: 'Pago encontrado en {network}. Cuenta en cuanto se confirme.',
  lookupLate:
    'Pago encontrado en {network}, pero llegó fuera de plazo. Solo cuenta si {merchant} lo acepta.',
  lookupOtherNetwork:
    'Pago encontrado en la dirección correcta, pero en {network}, que no se ofrecía. {merchant} puede verlo. Contacte con {merchant}.',
  lookupOtherToken:
    'Pago encontrado en la dirección correcta en {network}, pero con otro token. {merchant} puede verlo. Contacte con {merchant}.',
  lookupElsewhere:
    'Transacción encontrada en {network}, pero no pagó a esta dirección. Revisamos sus transferencias de tokens, la moneda que envió y el saldo de la dirección antes y después de su bloque. Compare la dirección en su monedero.',
  lookupFailed:
    'Esta transacción falló en {network}, así que no se envió nada. Puede enviar el pago de nuevo.',
  lookupNotMined:
    'Transacción encontrada en {network}, pero aún no está en un bloque. Aparecerá aquí cuando lo esté. No envíe el pago de nuevo.',
  lookupUnknown:
    'No encontramos esta transacción en ninguna red compatible. Compruebe el hash y la red.',
  lookupIncomplete:
    'Algunas redes aún no han respondido. Un pago a esta dirección aparecerá aquí automáticamente. Si no, inténtelo de nuevo en un minuto.',

  refundTitle: 'Añadir dirección de reembolso',
  refundLabel: 'Su dirección',
  refundHint: 'Use su propio monedero en la red por la que pagó, no una dirección de un exchange.',
  refundSend: 'Guardar',
  refundSaved: 'Los reembolsos de {merchant} se enviarán a {address}.',
  refundWrong: 'Introduzca una dirección: 0x y 40 caracteres.',

  tooOften: 'Demasiados intentos. Inténtelo de nuevo en un minuto.',
  tryAgain: 'No ha funcionado. Inténtelo de nuevo.',
  offline: 'Conexión perdida. Reconectando… Su pago está a salvo.',
  refresh: 'Actualizar esta página',
  refreshHint: 'Sin JavaScript, esta página no se actualiza automáticamente.',

  receiptTitle: 'Recibo',
  receiptMerchant: 'Pagado a',
  receiptFor: 'Concepto',
  receiptAmount: 'Importe',
  receiptReceived: 'Recibido',
  receiptReference: 'Referencia',
  receiptDate: 'Fecha',
  receiptTransaction: 'Transacción en {network}',
  print: 'Imprimir recibo',
  goBack: 'Volver a {merchant}',
  close: 'Cerrar',

  support: '¿Preguntas sobre este pago?',
  supportEmail: 'Escribir a {merchant}',
  supportPage: 'Ayuda de {merchant}',
  supportNone: 'Contacte con {merchant}.',
  quote: 'Indique la referencia {reference}.',
  language: 'Idioma',
  languageSet: 'Aplicar',
}

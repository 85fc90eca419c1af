import type { Messages } from './en.ts'

export const es: Messages = {
  decimalMark: ',',
  groupMark: '.',

  title: 'Pagar a {merchant}',

  chooseTitle: 'Elija cómo pagar',
  chooseHint: 'Su monedero o exchange debe enviar por la red que elija aquí.',
  networkOk: 'Funciona con normalidad',
  networkSlow: 'Más lenta de lo normal',
  usually: 'normalmente {time}',
  seconds: '{n|one:# segundo|other:# segundos}',
  minutes: '{n|one:# minuto|other:# minutos}',
  goOn: 'Continuar',
  working: 'Un momento',
  tokenOnNetwork: '{token} en {network}',
  change: 'Cambiar token o red',

  waitingTitle: 'Esperando su pago',
  waitingNext: 'Envíe el importe exacto de abajo. Esta página lo muestra en cuanto llega a la red.',
  choosingTitle: 'Todo listo',
  seenTitle: 'Pago visto',
  seenNext: 'No tiene que hacer nada más. Cuenta cuando la red lo confirma, normalmente en {time}.',
  seenPartNext: 'Se está confirmando. Aún faltan {due}: envíelos a la misma dirección.',
  partialTitle: 'Aún faltan {due}',
  partialNext: 'Han llegado {received} de {expected}. Envíe el resto a la misma dirección.',
  paidTitle: 'Pagado',
  paidNext: 'Su pago está confirmado y va de camino a {merchant}. Puede cerrar esta página.',
  completedTitle: 'Pago completado',
  completedNext: '{merchant} ha recibido su pago.',
  expiredTitle: 'El tiempo para pagar ha terminado',
  expiredNext: 'No envíe nada más a esta dirección. Pida a {merchant} un pago nuevo.',
  expiredPartNext:
    'Llegaron a tiempo {received} de {expected}. {merchant} lo ve y puede devolvérselo.',
  lateTitle: 'Un pago llegó tarde',
  lateNext:
    '{late} llegaron después del plazo. {merchant} lo sabe y puede aceptarlos o devolverlos.',
  overpaidTitle: 'Ha enviado {overpaid} de más',
  overpaidNext:
    'El resto no se ha perdido: llega a {merchant} con su pago. Pida a {merchant} que se lo devuelva.',
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
  helpTitle: '¿Y si llega tarde o falta dinero?',
  helpLate:
    'Un pago que llega tarde no se pierde. {merchant} recibe el aviso y puede aceptarlo o devolverlo.',
  helpFees:
    'Los exchanges suelen descontar una comisión. Si llega menos, esta página dice cuánto falta y usted lo envía a la misma dirección.',

  walletTitle: 'O pague con un monedero',
  walletPay: 'Pagar con {wallet}',
  walletConnecting: 'Conéctese en {wallet}.',
  walletSwitching: 'Cambie a {network} en {wallet}.',
  walletConfirming: 'Confirme el pago en {wallet}.',
  walletSent: '{wallet} ha enviado el pago. En breve estará en la red.',
  walletDeclined: 'Lo ha rechazado en {wallet}. No se ha enviado nada.',
  walletBusy: '{wallet} tiene una solicitud abierta. Respóndala primero.',
  walletElsewhere: '{wallet} sigue en otra red. Cámbielo a {network} e inténtelo de nuevo.',
  walletFailed:
    '{wallet} no pudo enviarlo. Compruebe que tiene suficiente {token}, y {coin} para la comisión de la red.',
  walletTab: 'Abrir en otra pestaña para pagar con un monedero',
  walletApp: 'Abrir en una app de monedero',
  opensTab: 'se abre en otra pestaña',

  transfersTitle: 'Sus pagos',
  explorer: 'Ver en el explorador',
  confirmations: 'Confirmaciones: {n} de {needed}',
  statusPending: 'Confirmándose',
  statusConfirmed: 'Confirmado',
  statusReverted: 'Falló en la red',
  kindLate: 'Tarde',
  kindOther: 'Otro token u otra red',
  transferReturning: '{amount} están de vuelta en camino.',
  transferReturned: 'Se devolvieron {amount}.',

  hashTitle: '¿Ya lo envió? Pegue el hash de la transacción',
  hashLabel: 'Hash de la transacción',
  hashHint: '0x y 64 caracteres. Su monedero o exchange lo muestra junto al pago.',
  hashSend: 'Buscar',
  hashWrong: 'Esto aún no es un hash. Son 0x y 64 caracteres de 0 a 9 y de a a f.',
  lookupPayment: 'Encontrada en {network}. Paga esto y cuenta en cuanto se confirme.',
  lookupLate:
    'Encontrada en {network}, pero llegó después del plazo. Solo cuenta si {merchant} la acepta.',
  lookupOtherNetwork:
    'Fue a la dirección correcta, pero por {network}, que no se ofrecía. {merchant} la ve: pregunte allí qué pasará con ella.',
  lookupOtherToken:
    'Fue a la dirección correcta en {network}, pero con otro token. {merchant} la ve: pregunte allí qué pasará con ella.',
  lookupElsewhere:
    'Encontrada en {network}. Revisamos sus transferencias de tokens, la moneda que envió ella misma y el saldo de la dirección de esta página antes y después de su bloque, y no encontramos nada para este pago. Compare la dirección en su monedero.',
  lookupFailed: 'Falló en {network}, así que no se envió nada. Puede enviar el pago de nuevo.',
  lookupNotMined:
    '{network} la conoce, pero aún no está en ningún bloque. Esta página la mostrará; no envíe otra vez.',
  lookupUnknown:
    'Ninguna red que vigilamos la conoce. Compruebe el hash, y que se envió por una red ofrecida aquí.',
  lookupLooking:
    'No todas las redes han respondido. Un pago a esta dirección aparecerá aquí por sí solo; para lo demás, busque de nuevo en un minuto.',

  refundTitle: 'Dejar una dirección para devoluciones',
  refundLabel: 'Su dirección',
  refundHint:
    'Una dirección propia que acepte este token en la red por la que pagó. No la de un exchange.',
  refundSend: 'Guardar',
  refundSaved: 'Si {merchant} devuelve dinero, irá a {address}.',
  refundWrong: 'Esto aún no es una dirección. Son 0x y 40 caracteres de 0 a 9 y de a a f.',

  tooOften: 'Demasiadas veces en poco tiempo. Espere un minuto e inténtelo de nuevo.',
  tryAgain: 'No ha funcionado. Inténtelo de nuevo.',
  offline: 'Se ha perdido la conexión. Seguimos intentándolo; su pago está a salvo.',
  refresh: 'Actualizar esta página',
  refreshHint: 'Sin JavaScript, esta página no cambia por sí sola.',

  receiptTitle: 'Recibo',
  receiptMerchant: 'Pagado a',
  receiptFor: 'Concepto',
  receiptAmount: 'Importe',
  receiptReceived: 'Recibido',
  receiptReference: 'Referencia',
  receiptDate: 'Fecha',
  receiptTransaction: 'Transacción en {network}',
  print: 'Imprimir el recibo',
  goBack: 'Volver a {merchant}',
  close: 'Cerrar',

  support: '¿Preguntas sobre este pago?',
  supportMail: 'Escribir a {merchant}',
  supportPage: 'Ayuda de {merchant}',
  supportNone: 'Contacte con {merchant} por donde llegó aquí.',
  quote: 'Indique {reference}.',
  language: 'Idioma',
  languageSet: 'Elegir',
}

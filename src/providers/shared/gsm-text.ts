/** The basic set of GSM 03.38 and its extension: with these an SMS holds 160 characters instead of 70. */
const gsm = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà\f^{}\\[~\]|€]*$/

/** Whether a text can be sent without Unicode. */
export function isGsmText(text: string): boolean {
  return gsm.test(text)
}

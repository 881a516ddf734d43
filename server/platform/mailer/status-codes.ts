/** 5.1.7 and 5.1.8 are about the sender's address, and 5.1.0 may be. */
const ADDRESS_UNKNOWN = /^5\.(?:1\.(?![078]$)\d{1,3}|2\.1)$/;

/** Returns whether an enhanced status code (RFC 3463) means that the recipient's address doesn't exist or is disabled. */
export const isAddressUnknown = (code: string): boolean => ADDRESS_UNKNOWN.test(code);

/** The bell's count stops here, because no one needs a larger number. @limit notifications-kept */
export const MOST_UNREAD = 100;

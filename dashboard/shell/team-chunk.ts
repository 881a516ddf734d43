/* A team's frame and its feed in one chunk, because they're shown together (docs/decisions/0005-the-dashboard.md). */

export { AllFeedback, PropertyFeedback, UrgentFeedback } from '../pages/feed/FeedPage.tsx';
export { TeamArea } from './TeamArea.tsx';

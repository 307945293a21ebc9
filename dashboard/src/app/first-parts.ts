/*
 * Parts of most pages, loaded with the frame: a page that is opened first needs them anyway, and beside the others each compresses
 * better than in a chunk of its own. `test/size.test.ts` bounds both the frame and the pages.
 */
import '../../../server/src/incidents/wording.ts';
import '../lib/affected.ts';
import '../lib/clock.ts';
import '../lib/durations.ts';
import '../lib/members/member-names.ts';
import '../lib/releases/release-marks.ts';
import '../lib/use-narrow.ts';
import '../ui/charts/sparkline.tsx';
import '../ui/controls/copy-button.tsx';
import '../ui/controls/key.tsx';
import '../ui/controls/more-menu.tsx';
import '../ui/feedback/use-share-items.ts';
import '../ui/display/glyphs.tsx';
import '../ui/display/incident-numbers.ts';
import '../ui/display/relative-time.tsx';
import '../ui/display/sentence.tsx';
import '../ui/event/message.tsx';
import '../ui/layout/dialog.tsx';
import '../ui/layout/page-head.tsx';
import './user/use-log-out.ts';

// A selector engine that finds what a name in a sentence means. One look finds, in one document, what has the name,
// fits the verb and stands where the sentence says. `webtask_match=call:<base64 of JSON>` runs one of the functions at
// the end with what it is given.
(dom, queried) => {
  const OPERABLE =
    'a[href],area[href],button,input,select,textarea,summary,label,option,[onclick],[draggable=true],' +
    '[contenteditable]:not([contenteditable=false]),[role=button],[role=link],[role=tab],' +
    '[role=checkbox],[role=radio],[role=switch],[role^=menuitem],[role=option],[role=treeitem]';
  const { squash: tidy, up, holds, closest, everywhere: all, HEADING, levelOf: level, isBefore, labelledBy,
    isRendered: visible, isPage, isVisible: canSee, isInReach, standInOf, rolesIn, nativeRoleOf, renderedTextOf,
    isSlider, labelsOf, scrollerOf, isField, FIELD, cached, SKIPPED, nameOf: fullNameOf, ITEM, isCard, isHeadRow,
    isNoMember, itemsOf, membersOf, titlesOf, titleOf, isEmptied, headsOf, headingsOf, containersOf, kindOf, iconIn,
    LANDMARKS, CAPTIONS } = dom;
  const LANDMARK = `${LANDMARKS.replace('header,footer', 'body>header,body>footer')},main,[role=main]`;
  const SECTION = `${ITEM},${LANDMARK},section,fieldset,form,[role=region],[role=group],[role=form]`;

  // What containers without a role are called.
  const PARTS = { FORM: 'form', SECTION: 'section', IFRAME: 'frame' };
  // Every role that Playwright may give an element: the explicit ones, and the tag's own, which applies
  // if the explicit ones are invalid.
  const rolesOf = (e) => {
    const roles = rolesIn(e);
    // A file input may be hidden behind a styled control, so it has a role of its own.
    if (e.localName === 'input' && e.type === 'file') roles.push('file');
    const native = nativeRoleOf(e);
    if (native) roles.push(native);
    if (e.localName === 'td') roles.push(native === 'cell' ? 'gridcell' : 'cell');
    return roles;
  };
  // What an editor or a drawn list holds is none of its names.
  const HOLDS = /^(textbox|searchbox|combobox|listbox|spinbutton|slider)$/;
  const nameOf = (e) => fullNameOf(e, { content: isField(e) || !HOLDS.test(rolesOf(e)[0]) }).slice(0, 60);
  const ownTexts = (e) => [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data);
  const ownText = (e) => tidy(ownTexts(e).join(' '));

  // --- Names

  // The text of an element as Playwright reads it, drawn or not.
  const textIn = cached((e) => {
    if (SKIPPED.test(e.localName)) return '';
    if (e.localName === 'input' && e.type !== 'file' && nativeRoleOf(e) === 'button') return e.value;
    const nodes = [...e.childNodes, ...e.shadowRoot?.childNodes ?? []];
    return nodes.map((n) => n.nodeType === 3 ? n.data : n.nodeType === 1 ? textIn(n) : '').join('');
  });
  // How well a text is a name, as `Rank` has it; null if it is not. A number in an element of its own is a badge.
  const [EXACT, CASELESS, DECORATED, PART] = [0, 1, 2, 3];
  const hasBadge = (e) => [...e.querySelectorAll('*')].some((d) => /^\s*\d/.test(textIn(d)));
  const rankerOf = ({ text, patterns }) => {
    const [whole, decorated, badge, part] = patterns.map((pattern) => new RegExp(pattern, 'i'));
    return (name, e) => {
      const own = tidy(name).replace(/[\u2010\u2011]/g, "-").replace(/[\u2018\u2019]/g, "'");
      if (own === text) return EXACT;
      if (whole.test(own)) return CASELESS;
      if (decorated.test(own) || (badge.test(own) && hasBadge(e))) return DECORATED;
      return part.test(own) ? PART : null;
    };
  };
  // The role among some by which users find an element, if only those who see it.
  const UNHEARD = '[aria-hidden=true]';
  const roleIn = (e, ways) => {
    const isDenied = /^(none|presentation)$/.test(rolesIn(e)[0]);
    // What can be operated has its role though its author denies it.
    if (isDenied && !e.matches(OPERABLE)) return '';
    const given = e.type === 'file' || isDenied ? undefined : rolesIn(e).find((role) => !/^(generic|text)$/.test(role));
    const role = (given ? [given] : rolesOf(e)).find((r) => ways.includes(r));
    return role && (role === 'file' || !closest(e, UNHEARD) || canSee(e)) ? role : '';
  };
  const FROM_CONTENT =
    /^(button|(grid)?cell|checkbox|(column|row)header|heading|link|menuitem.*|option|radio|row|switch|tab|treeitem)$/;
  const nameAs = (e, role) => fullNameOf(e, { content: FROM_CONTENT.test(role) || isField(e) }) ||
    { submit: 'Submit', reset: 'Reset' }[e.localName === 'input' && e.type] || '';
  const labelsIn = (e) => [labelledBy(e), e.getAttribute('aria-label'), ...labelsOf(e).map(textIn)];
  // The names that an element has in some ways: by its role, an attribute, a label or its own text.
  const namesBy = (e, ways) => {
    const role = roleIn(e, ways);
    const names = role ? [nameAs(e, role)] : [];
    if (ways.includes('label')) names.push(...labelsIn(e));
    if (ways.includes('own-text')) names.push(ownText(e), ...ownTexts(e), ...columnPart(e).map(({ column }) => column));
    if (ways.includes('stated') && e.matches('[aria-disabled],[aria-current]')) names.push(textIn(e));
    const attributes = ['placeholder', 'alt', 'title'].filter((way) => ways.includes(way));
    return [...names, ...attributes.map((way) => e.getAttribute(way))].filter((name) => name?.trim());
  };
  // The elements that have a name in some ways, with the rank of each. A text is that of the innermost element.
  const ranked = (ways, name) => {
    const rankOf = rankerOf(name);
    const rankOfText = cached((e) => rankOf(textIn(e), e));
    const isInner = (e) => ![...e.children, ...e.shadowRoot?.children ?? []]
      .some((c) => rankOfText(c) !== null && rankOfText(c) <= rankOfText(e));
    const ranks = new Map();
    for (const e of all('*')) {
      const own = namesBy(e, ways).map((each) => rankOf(each, e));
      const isText = ways.includes('text') || (ways.includes('label-text') && closest(e, 'label')?.control);
      if (isText && rankOfText(e) !== null && isInner(e)) own.push(rankOfText(e));
      const known = own.filter((rank) => rank !== null);
      if (known.length) ranks.set(e, Math.min(...known));
    }
    return ranks;
  };
  // The elements of some roles, without a name if it matters.
  const withRole = (ways, isAny) => {
    const fits = (e) => roleIn(e, ways) && (isAny || !nameAs(e, roleIn(e, ways)));
    return new Map(all('*').filter(fits).map((e) => [e, EXACT]));
  };
  const ofRank = (ranks, rank) => [...ranks].filter(([, own]) => own === rank).map(([e]) => e);

  // --- Places

  const LONG = 300;
  const isWide = (e) => e.matches('body,main,[role=main]');
  // Whether an element has text of its own or is a field or picture, as a name does.
  const isFilled = (e) => e.matches('input,select,textarea,img,svg') || ownText(e);
  // Whether `sibling` is of the same kind as the first of a path, and has a name where the path ends.
  const isPeer = (sibling, path) => {
    const [branch] = path;
    if (sibling === branch || sibling.localName !== branch.localName) return false;
    const css = path.slice(1).map((node) => node.localName).join(' > ');
    return css ? [...sibling.querySelectorAll(`:scope > ${css}`)].some(isFilled) : !!isFilled(sibling);
  };
  // The siblings that follow an element, up to the first that does not count.
  const followersOf = (e, counts) => {
    const next = e.nextElementSibling;
    return next && counts(next) ? [next, ...followersOf(next, counts)] : [];
  };
  // The innermost item that an element stands in, null if there is none. The rows of a layout table are none.
  const isLayout = (row) => !!row.querySelector('table,h1,h2,h3,section,article');
  const lineOf = (e) => itemsOf(e).find((item) => !(item.localName === 'tr' && isLayout(item))) ?? null;
  // The parts around a name that stands in no item, from the inside out, while they have little text: each by its
  // outermost elements. The last one has other names of that kind: it is what follows the name up to the next one, if
  // it begins with a name. A page is a part only if it is as flat as a list.
  const smallParts = (a, most = LONG) => {
    const found = [];
    for (let path = [a]; up(path[0]) && !path[0].matches(LANDMARK); path = [up(path[0]), ...path]) {
      const outer = up(path[0]);
      if (renderedTextOf(outer).length > most || (isWide(outer) && path.length > 2 && most === LONG)) break;
      const children = [...outer.children];
      const isPair = children.length === 2 && renderedTextOf(children[1]) && !isFilled(outer);
      const isName = (e) => isPeer(e, path);
      if (!isPair && children.some(isName)) {
        const isFirst = children[0] === path[0] || isName(children[0]);
        return isFirst ? [...found, [path[0], ...followersOf(path[0], (e) => !isName(e))]] : found;
      }
      found.push([outer]);
      if (isWide(outer)) break;
    }
    return found;
  };
  // The elements that stand in the innermost item with a name, or else in the smallest part with it that has any.
  const besides = (elements, a, most = LONG) => {
    const item = lineOf(a);
    const inItem = elements.filter((e) => e !== a && item && holds(item, e));
    // The rows of a form are alike, too, and what it sends stands in none of them.
    if (inItem.length || (item && !isCard(item))) return inItem;
    const isNear = (top, e) => !isWide(top) || [e, up(e), up(up(e))].includes(top) || most > LONG;
    const isIn = (top, e) => holds(top, e) && (!lineOf(e) || holds(lineOf(e), a)) && isNear(top, e);
    const isAmong = (tops, e) => e !== a && tops.some((top) => isIn(top, e));
    const found = smallParts(a, most).map((tops) => elements.filter((e) => isAmong(tops, e)));
    return found.find((some) => some.length) ?? [];
  };
  const nextTo = (elements, anchors) => {
    const inItems = anchors.filter(lineOf).flatMap((a) => besides(elements, a));
    return inItems.length ? inItems : anchors.flatMap((a) => besides(elements, a));
  };

  // What is under a heading: the widest element around it without another one of its rank, and what follows that.
  // It may `reach` over what follows, though that is in no part with the heading.
  const sectionOf = (heading) => {
    const isNext = (h) => h !== heading && level(h) <= level(heading);
    const isEnd = (e) => [e, ...e.querySelectorAll(HEADING)].some((h) => h.matches(HEADING) && isNext(h));
    let widest = heading;
    const isWidest = () => !up(widest) || isPage(up(widest)) || widest.matches(SECTION) || isEnd(up(widest));
    while (!isWidest()) widest = up(widest);
    const more = widest.matches(SECTION) ? [] : followersOf(widest, (e) => !isEnd(e));
    const isBare = renderedTextOf(widest) === renderedTextOf(heading);
    const isEmpty = !more.length && [...widest.querySelectorAll('*')].some(isEmptied);
    const own = isBare && !isEmpty ? [] : [widest];
    return { tops: [...own, ...more.filter((e) => headingsOf(e).includes(heading))], reach: [...own, ...more] };
  };
  // What is in the column of a head, in the section of a heading, or in the part of a text up to the next heading.
  const under = (elements, anchors) => anchors.flatMap((a) => {
    const inColumn = elements.filter((e) => headsOf(e).some((head) => holds(head, a)));
    if (inColumn.length) return inColumn;
    const heading = closest(a, HEADING);
    const tops = heading ? sectionOf(heading).reach : [titledBy(a)].filter(Boolean);
    const found = heading || tops.length ? elements.filter((e) => tops.some((top) => holds(top, e)))
      : besides(elements, a, Infinity).filter((e) => headingsOf(e)[0] === headingsOf(a)[0]);
    return found.filter((e) => isBefore(a, e) && !holds(a, e));
  });
  // What a title that is a part of it names, and what a label or a text by its id does.
  const titledBy = (e) => Object.entries(CAPTIONS).map(([of, own]) => closest(e, own) && closest(e, of)).find(Boolean);
  const labeledBy = (e) => closest(e, 'label')?.control ??
    all(`[aria-labelledby~="${CSS.escape(e.id)}"]`).find((o) => labelledBy(o) === tidy(textIn(e)));
  // What stands in the parts that have a name, or else beside it.
  const inside = (elements, anchors) => {
    const held = anchors.flatMap((a) => {
      const { is, tops, reach = tops } = partOf(a, renderedTextOf(a));
      return is === 'loose' ? [] : elements.filter((e) => e !== a && reach.some((top) => holds(top, e)));
    });
    return held.length ? held : nextTo(elements, anchors);
  };

  // The element around a name that is of a kind, by its role or tag, as a word after the name states.
  const around = (e, kinds) => {
    const isOf = (node) => [...rolesOf(node), node.localName, kindOf(node)].some((kind) => kinds.includes(kind));
    return !e || isOf(e) ? e : around(up(e), kinds);
  };
  // Names of an element from its attributes rather than its content.
  const calledBy = (e) => [...labelsIn(e), e.getAttribute('alt'), e.getAttribute('title')].map(tidy).filter(Boolean);

  // The row that an element may name; a control names none, nor is there one in a layout or of heads.
  const rowOf = (e) => {
    const row = closest(e, 'button,[role=button],input,select') ? null : closest(e, 'tr,[role=row]');
    return row && !isHeadRow(row) && !isLayout(row) ? row : null;
  };
  const cellOf = (e) => closest(e, 'td,th,[role=cell],[role=gridcell],[role=rowheader]');
  const isCode = (text) => /[\d@]/.test(text);
  // The cell of a row's title: a header, or else the first in words that no other row has in its column. A link that
  // titles the row names it, too.
  const titleCellOf = cached((row) => {
    const isWords = ([, e, text]) => e !== row && !isCode(text);
    const cells = titlesOf(row).filter(isWords).map(([, e]) => cellOf(e));
    return cells.find((c) => c?.matches('th,[role=rowheader]')) ?? [...row.children].find((c) => cells.includes(c));
  });
  // The elements that name what is around them: of a table's row the title, its header or what is before that, or
  // where no row has that, a number, a code or an address that is all of another cell.
  const naming = (elements) => {
    const calls = (e) => {
      const [row, title] = [rowOf(e), rowOf(e) && titleCellOf(rowOf(e))];
      const isTitle = (cell) => !!cell && holds(cell, e);
      const link = title && titlesOf(row)[0][0] === 'link' && cellOf(titlesOf(row)[0][1]);
      const isBeforeTitle = title && (isBefore(e, title) || !!closest(e, 'th,[role=rowheader]'));
      return !title || row === e || isBeforeTitle || [title, link].some(isTitle);
    };
    const titles = elements.filter(calls);
    if (titles.some(rowOf)) return titles;
    const isAll = (e) => tidy(cellOf(e)?.textContent) === tidy(e.textContent);
    return elements.filter((e) => titles.includes(e) || (isCode(tidy(e.textContent)) && isAll(e)));
  };
  // The elements that have the name of a place, by the best rank that any has, and those of them that mean one.
  const isThere = (e) => visible(e) || isEmptied(e);
  const PLACE_WAYS = ['text', 'own-text', 'alt', 'title', 'label'];
  const called = (name, counts) =>
    new Map([...ranked(PLACE_WAYS, name)].filter(([e, rank]) => rank < PART && counts(e) && isThere(e)));
  const placeCalled = ({ name, relation, kinds, isPart }, counts) => {
    const ranks = called(name, counts);
    const rank = Math.min(...ranks.values());
    const named = ofRank(ranks, rank);
    const meant = (kinds && !isPart) || relation === 'under' ? named : naming(named);
    return { rank, named, meant, anchors: meant.filter((a) => !kinds || around(a, kinds)) };
  };
  // The elements that stand in a place.
  const standing = (elements, { relation, kinds, isPart }, anchors) => {
    const find = { 'next to': nextTo, in: inside, under }[relation];
    if (relation !== 'in' || !isPart) return [...new Set(find(elements, anchors))];
    const isIn = (e, a) => !holds(e, a) && ofKind(a, kinds).some((part) => part.tops.some((top) => holds(top, e)));
    return elements.filter((e) => anchors.some((a) => isIn(e, a)));
  };
  // A test for elements in a part of the page, which must not have gone; all pass without one. The elements by which it
  // is given are in it if it is open, as what follows a heading is.
  const inPart = (part) => {
    const tops = part?.numbers.map(dom.nodeOf);
    if (part && (part.document !== dom.state.document || tops.some((top) => !top?.isConnected))) {
      throw new Error('a part of the page has gone');
    }
    return (e) => !tops || tops.some((top) => holds(top, e) && (e !== top || part.isOpen));
  };

  // --- Verbs

  const editable = (e) => e.isContentEditable || isSlider(e) || e.tagName === 'TEXTAREA' ||
    (e.tagName === 'INPUT' && ['textbox', 'searchbox', 'spinbutton', 'combobox', 'slider'].includes(nativeRoleOf(e)));
  const CHECKABLE = /radio|^(checkbox|switch|menuitemcheckbox)$/;
  const checkable = (e, radiosOnly) => (radiosOnly ? /radio/ : CHECKABLE).test(rolesOf(e)[0]);
  // The element that the verb would act on, or null if the verb does not fit it.
  const target = (e, fit) => {
    if (e.localName === 'label' && /^(fill|select|value|state)$/.test(fit)) return null;
    if (fit === 'fill') return editable(e) ? e : null;
    if (fit === 'select') return e.matches('select,[role=combobox],[role=listbox]') ? e : null;
    if (fit === 'upload') return e.tagName === 'INPUT' && e.type === 'file' ? e : null;
    if (fit !== 'check' && fit !== 'choose') return e;
    const control = checkable(e, false) ? e : closest(e, 'label')?.control;
    return control && checkable(control, fit === 'choose') ? control : null;
  };

  // Where an element stands, from the inside out, as a sentence says it.
  const placeOf = (e) => {
    const places = containersOf(e).filter((c) => c.name);
    const parts = places.filter((c) => !c.under).slice(0, 2).map(({ kind, name }) => `${kind} ${JSON.stringify(name)}`);
    return parts.length ? `in ${parts.join(' of ')}` : places.length ? `under ${JSON.stringify(places[0].name)}` : '';
  };

  // A test for elements that can be operated: neither inert nor behind a modal dialog.
  const reachableFor = (fit) => {
    if (fit === 'scroll' || fit === 'upload') return () => true;
    const modals = all('dialog:modal');
    return (e) => !closest(e, '[inert]') && (!modals.length || modals.some((modal) => holds(modal, e)));
  };
  // A link without a text has the name and address of one with a text, as the picture of a card does.
  const isPictureOf = (e, links) => e.href && !renderedTextOf(e) &&
    links.some((link) => link.href === e.href && renderedTextOf(link));
  const suits = (e, roles) =>
    !roles || rolesOf(e).some((r) => roles.includes(r)) || (e.isContentEditable && roles.includes('textbox'));
  // Those of some elements that can be used as the verb does; a control and its label count as one.
  const usableFor = ({ fit, roles }, counts) => {
    const reachable = reachableFor(fit);
    const isBox = /^(check|choose)$/.test(fit);
    const drawn = (e) => fit === 'upload' || ((isBox || visible(e)) && (fit === 'scroll' || isInReach(e)));
    const fits = (e) => counts(e) && drawn(e) && reachable(e) && target(e, fit) && suits(target(e, fit), roles);
    return (elements) => {
      const usable = elements.filter(fits);
      const inner = usable.filter((u) => !usable.some((d) => d !== u && holds(u, d)));
      const byControl = [...Map.groupBy(inner, (e) => target(e, fit))];
      const single = byControl.map(([control, some]) => some.includes(control) ? control : some[0]);
      return single.filter((e) => !isPictureOf(e, single));
    };
  };
  // What has no name of its own, with the rank of the text beside it; a file input may be opened by a button there.
  const rankedBeside = (name, fit, selector, usable) => {
    const candidates = usable(all(selector)).filter((e) => fit === 'upload' || !nameOf(e));
    const texts = ranked(fit === 'upload' ? ['button', 'text'] : ['text'], name);
    const besideRank = (rank) => nextTo(candidates, ofRank(texts, rank).filter(visible)).map((e) => [e, rank]);
    // The best rank of an element is set last.
    return new Map([...(fit === 'upload' ? [PART] : []), DECORATED, CASELESS, EXACT].flatMap(besideRank));
  };
  const isOperable = (e) => !!closest(e, OPERABLE) || getComputedStyle(e).cursor === 'pointer';
  // What has a name, fits the verb and stands in the place: of the best rank, and in that of the first group of ways.
  // Where a text has the name, and no control, `similar` are the controls that nearly have it.
  const find = ({ name, groups, most, place, part, beside, places, ...verb }) => {
    const counts = inPart(part);
    const usable = usableFor(verb, counts);
    const at = place && placeCalled(place, counts);
    const ranksOf = cached((group) => !name.text ? withRole(groups[group])
      : groups[group][0] !== 'beside' ? ranked(groups[group], name)
      : place && verb.fit !== 'upload' ? new Map() : rankedBeside(name, verb.fit, beside, usable));
    const hitsAt = (rank, group, isSimilar = false) => {
      const elements = usable(ofRank(ranksOf(group), rank));
      const placed = place ? standing(elements, place, at.anchors) : elements;
      // A dialog may leave all that is behind it to those who see it.
      const open = placed.filter((e) => !closest(e, UNHEARD));
      const chosen = open.length ? open : placed;
      const isPlaced = (e) => place?.relation !== 'next to' || !!lineOf(e);
      const isExact = rank === EXACT && !(at?.rank > EXACT);
      return chosen.map((e) => hitOf(e, verb.fit, {
        strong: isExact && (isOperable(e) || verb.fit === 'scroll') && isPlaced(e),
        place: chosen.length > 1 || places || isSimilar ? placeOf(e) : '',
      }));
    };
    for (let rank = EXACT; rank <= most; rank++) {
      for (let group = 0; group < groups.length; group++) {
        const hits = hitsAt(rank, group);
        if (!hits.length) continue;
        const weaker = [CASELESS, DECORATED, PART].filter((r) => r > rank && r <= most);
        const isText = group > 0 && !hits.some((hit) => hit.operable);
        const similar = isText ? weaker.map((r) => hitsAt(r, 0, true)).find((found) => found.length) : [];
        return { rank, group, hits, similar: similar ?? [] };
      }
    }
    return { rank: PART, group: 0, hits: [], similar: [], where: at && whereabouts(at) };
  };
  // How many places a name means, and what the rows are called that only mention it.
  const whereabouts = ({ named, meant, anchors }) => ({
    places: anchors.length,
    rows: [...new Set(named.filter((a) => !meant.includes(a)).map((a) => titleOf(rowOf(a))))],
  });
  // What the verb acts on of an element that was found, and the label that is drawn for it.
  const hitOf = (e, fit, more) => {
    const control = target(e, fit);
    const label = fit !== 'upload' && labelsOf(control).find((each) => each === standInOf(control));
    return {
      ...describe(control, true),
      label: label ? dom.numberOf(label) : 0,
      added: dom.sinceAdded(control),
      operable: isOperable(e),
      apparent: isOperable(e) && canSee(e),
      ...more,
    };
  };

  // --- Parts

  const describe = (e, isBrief = false) => ({
    document: dom.state.document,
    number: dom.numberOf(e),
    role: rolesOf(e)[0] || PARTS[e.tagName] || (e.isContentEditable ? 'textbox' : 'text'),
    name: nameOf(e),
    place: isBrief ? '' : placeOf(e),
    text: isBrief ? '' : renderedTextOf(e).slice(0, 200),
    state: isEmptied(e) ? 'emptied' : '',
    hint: hintOf(e),
    column: headsOf(e).map(renderedTextOf),
  });
  // What tells an element from others that are called as it is and stand where it does: its address, icon and position.
  const hintOf = (e) => {
    const [{ x, y }, address, icon] = [e.getBoundingClientRect(), e.getAttribute('href'), iconIn(e)];
    const hints = [address && `to ${address.slice(0, 60)}`, icon && `icon "${icon}"`, `at ${~~x},${~~y}`];
    return hints.filter(Boolean).join(', ');
  };
  // The elements of some roles that can be seen, of the best rank that has the name if there is one. Heads, totals
  // and a notice do not count.
  const members = ({ roles, name, part }) => {
    const counts = inPart(part);
    const isHead = (e) => e.matches('tr,[role=row]') && (isNoMember(e) || !!closest(e, 'thead'));
    const ranks = name.text ? ranked(roles, name) : withRole(roles, true);
    const seen = new Map([...ranks].filter(([e, rank]) => rank < PART && counts(e) && canSee(e) && !isHead(e)));
    const rank = Math.min(...seen.values());
    // What stands around elements takes long, and no message needs it of more than a few.
    return { rank, elements: ofRank(seen, rank).map((e, i) => describe(e, i >= 50)) };
  };

  // What a name names: the `name` itself and no more, a `field` or a `column`; or a part that it `headed`, what stands
  // `below` it, a `line` or value, or what is `loose` beside it.
  const partOf = (a, name) => {
    const [term, heading] = [closest(a, 'dt'), closest(a, HEADING)];
    const labeled = a.matches(FIELD) ? a : !heading && labeledBy(a);
    if (labeled) return { is: labeled.matches(`${FIELD},button`) ? 'field' : 'headed', tops: [labeled] };
    const inControl = closest(a, 'button,[role=button],[role=tab],[role^=menuitem],input');
    if (inControl && !heading) return { is: 'name', tops: [inControl] };
    const isText = renderedTextOf(a).toLowerCase().startsWith(name.toLowerCase());
    const isNamed = calledBy(a).length > 0 && (!isText || a.matches('section,table,ul,ol,dialog,[role]'));
    const owner = isNamed && !a.matches('img,svg,a,[role=img]') ? a : titledBy(a);
    if (owner) return { is: 'headed', tops: [owner] };
    if (!term && !heading) return partAround(a);
    const { tops, reach } = term ? { tops: followersOf(term, (e) => e.localName === 'dd') } : sectionOf(heading);
    if (!tops.length) return { is: 'name', tops: [term ?? heading], reach };
    return { is: term ? 'line' : holds(tops[0], a) ? 'headed' : 'below', tops, reach };
  };
  // The item around a name that is no heading, or what stands beside it; in a navigation it is only a name.
  const partAround = (a) => {
    const isNavigation = !!closest(a, 'nav,[role=navigation]');
    const [column] = columnPart(a);
    if (column) return column;
    const [item, text] = [lineOf(a), renderedTextOf(a)];
    // Elements with text in child elements, such as `<p>Total: <b>24</b></p>`.
    const isWhole = text.length > ownText(a).length && text.length <= LONG && ownTexts(a).filter(tidy).length === 1;
    // Of several texts in an item only the first names it, as the next one may be the value of another.
    const isTitle = ([how, e], i) => (i === 0 || !/text|words/.test(how)) && (holds(a, e) || e !== item && holds(e, a));
    const isOwn = item && (item === a ? isWhole : renderedTextOf(item) !== text) && !isNavigation;
    const names = isOwn && (item.matches('tr,[role=row]') || titlesOf(item).some(isTitle) || restOf(item, a));
    if (item) return names ? { is: 'line', tops: [item] } : { is: 'name', tops: [isOwn ? a : item] };
    const control = closest(a, 'a[href],[role=link]');
    const isBox = (top) => top !== a && holds(top, a) && !isPage(top) && !top.matches(LANDMARK);
    const boxes = smallParts(a).map(([top]) => top).filter(isBox);
    const loose = isWhole ? a : boxes.find((box) => renderedTextOf(box) !== text);
    if (!loose || isNavigation) return { is: 'name', tops: [control || loose || a] };
    return { is: 'loose', tops: [loose], reach: [boxes.at(-1) ?? loose] };
  };
  // What a head names, with the heads above it: its column, of which a cell is an `example`, or the cells in some rows.
  const columnPart = (a, rows) => {
    const head = closest(a, 'th,[role=columnheader]');
    const cellsIn = (row) => [...row?.children ?? []].filter((e) => headsOf(e).includes(head));
    const [example] = head && isHeadRow(up(head)) ? membersOf(up(head)).slice(0, 1).flatMap(cellsIn) : [];
    if (!example) return [];
    const heads = headsOf(example);
    const column = heads.slice(0, heads.indexOf(head) + 1).map(renderedTextOf).join(' ');
    if (!rows) return [{ is: 'column', tops: [head], column, example }];
    const tops = rows.map((e) => closest(e, 'tr,[role=row]')).flatMap(cellsIn);
    return tops.length ? [{ is: 'cell', tops, column, anchor: head }] : [];
  };
  // The element of a kind that has the name or contains it, or the only one in the part that it heads.
  const ofKind = (anchor, kinds) => {
    if (kinds.includes('columnheader')) return columnPart(anchor);
    const outer = around(anchor, kinds);
    const isHeading = !!outer?.matches(HEADING);
    const part = partOf(isHeading ? outer : anchor, renderedTextOf(anchor));
    // A heading is the name of its section.
    if (isHeading) return [{ ...part, tops: [outer, ...part.tops.filter((top) => !holds(top, outer))] }];
    const tops = /headed|below/.test(part.is) ? part.tops : [];
    if (outer) {
      // What the heading of another part of it heads is all that has this name.
      const isOther = tops.length && tops.every((top) => top !== outer && holds(outer, top)) &&
        containersOf(anchor).find((c) => c.e === outer)?.name !== renderedTextOf(anchor);
      return [{ is: 'kind', tops: isOther ? tops : [outer] }];
    }
    const elements = tops.flatMap((top) => [top, ...top.querySelectorAll('*')]);
    const fitting = elements.filter((e) => around(e, kinds) === e && isThere(e));
    return fitting.length === 1 ? [{ is: 'kind', tops: fitting }] : [];
  };
  // What a part shows besides its name and buttons: the only element that does, or a text beside the name.
  const restOf = (top, a) => {
    const isOther = (e) => (top === a ? e !== a : !holds(a, e)) && !closest(e, 'button,[role=button]') && canSee(e);
    const texts = dom.textNodesIn(top).filter((n) => n.data.trim() && isOther(up(n)));
    const others = [...texts.map(up), ...[...top.querySelectorAll(FIELD)].filter(isOther)];
    const common = others.length ? dom.commonOf(others[0], others) : a;
    if (!holds(common, a)) return describe(common);
    return others.length === 1 && texts.length ? { ...describe(common), rest: tidy(texts[0].data) } : null;
  };
  const valueOf = ({ is, tops: [top, ...more], anchor }) => {
    if (more.length || is === 'kind') return null;
    const isWhole = top === anchor || !holds(top, anchor) || !/line|loose/.test(is);
    return (holds(top, anchor) && restOf(top, anchor)) || (isWhole ? describe(top) : null);
  };
  // Of the parts that names may mean, the best: those that are more than a name, and not emptied, each once, and none
  // around another one, since a table and the section around it may have the same name.
  const bestOf = (parts) => {
    const isMore = (p) => !/name|field|column/.test(p.is);
    const more = parts.some(isMore) ? parts.filter(isMore) : parts;
    const filled = more.filter((p) => !p.tops.every(isEmptied));
    const best = filled.length ? filled : more;
    const isHeaded = (p) => /headed|below/.test(p.is);
    const isSame = (p, q) => p.tops.length === q.tops.length && p.tops.every((top, i) => top === q.tops[i]);
    const isWithin = (p, q) => isHeaded(p) && isHeaded(q) &&
      p.tops.every((top) => q.tops.some((t) => holds(t, top) && (t !== top || q.tops.length > p.tops.length)));
    return best.filter((p, i) => !best.slice(0, i).some((q) => isSame(p, q)) && !best.some((q) => isWithin(p, q)));
  };
  // The parts of the page that a name may mean, by the best rank that has any, in the place of the name if it has one.
  const partsOf = ({ name, kinds, isPart, part, place }) => {
    const counts = inPart(part);
    const at = place && placeCalled(place, counts);
    const ranks = called(name, counts);
    const partsAt = (rank) => {
      const named = kinds && !isPart ? ofRank(ranks, rank) : naming(ofRank(ranks, rank));
      const anchors = at ? standing(named, place, at.anchors) : named;
      const parts = anchors.flatMap((a) => kinds ? ofKind(a, kinds) : [{ ...partOf(a, name.text), anchor: a }]);
      // A row and a column name a cell together.
      const pairs = at && !anchors.length ? [[named, at.anchors], [at.anchors, named]] : [];
      parts.push(...pairs.flatMap(([heads, rows]) => heads.flatMap((a) => columnPart(a, rows))));
      return bestOf(parts.filter((p) => p.tops.every(counts)));
    };
    const rank = [EXACT, CASELESS, DECORATED].find((r) => partsAt(r).length) ?? PART;
    const where = whereabouts(placeCalled({ name, kinds, isPart, relation: 'in' }, counts));
    return { rank, where, parts: rank === PART ? [] : partsAt(rank).map((p) => ({
      ...describe(p.example ?? p.tops[0]),
      ...(p.column && { role: 'column', name: p.column }),
      is: p.is,
      reach: (p.reach ?? p.tops).map(dom.numberOf),
      tops: p.tops.map(dom.numberOf),
      value: valueOf(p),
    })) };
  };
  // --- Messages

  const MOST = 2000;
  // The texts that may name a place, each with whether it is visible.
  const texts = ({ part }) => {
    const found = new Map();
    for (const e of all('body *:not(option)').filter(inPart(part))) {
      for (const text of [ownText(e) && tidy(textIn(e)), ...calledBy(e)]) {
        if (text && text.length <= 80) found.set(text, found.get(text) || visible(e));
      }
    }
    return [...found].slice(0, MOST);
  };

  // The elements that fit the verb, for a message that suggests names: each with the reason if it cannot be used now.
  const operable = ({ part, fit, roles }) => {
    const reachable = reachableFor(fit);
    const stateOf = (e) => {
      if (fit !== 'upload' && !isInReach(e)) return 'hidden';
      return reachable(e) ? '' : closest(e, '[inert]') ? 'inert' : 'covered';
    };
    return all(`${OPERABLE},[role],${HEADING}`).filter(inPart(part))
      .filter((e) => e.localName !== 'label' && suits(e, roles) && target(e, fit))
      .slice(0, MOST).filter(nameOf).map((e) => {
        const state = stateOf(e);
        return { role: rolesOf(e)[0] || 'textbox', name: nameOf(e), place: state ? placeOf(e) : '', state };
      });
  };
  // The last rows of lists that go on below their box or the window, and may draw more when they are scrolled.
  const unfinished = () => {
    const found = all('body *').filter((e) => !e.matches('tr,[role=row]')).flatMap((list) => {
      const isRow = (c) => c.localName === list.lastElementChild.localName && visible(c) && tidy(c.textContent);
      const rows = [...list.children].filter(isRow);
      const [last, box] = [rows.at(-1), scrollerOf(list)];
      if (rows.length < 3 || itemsOf(last)[0] !== last) return [];
      const [begin, end] = [rows[0].getBoundingClientRect().top, last.getBoundingClientRect().bottom];
      const { height, bottom } = box?.getBoundingClientRect() ?? { height: innerHeight, bottom: innerHeight };
      return end - begin > height && end > bottom + 1 ? [[box, titleOf(last)]] : [];
    });
    return [...new Map(found).values()].filter(Boolean);
  };
  return { find, texts, operable, members, partsOf, itself: () => describe(queried), unfinished };
}

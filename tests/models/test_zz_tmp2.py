import time, pytest
from pytest_webtask.models.literal import Literal
from pytest_webtask.loop import Loop
from pytest_webtask.errors import TaskFailed
@pytest.fixture
def webtask_model(): return Literal()
@pytest.mark.parametrize("i", range(4))
@pytest.mark.parametrize("way", ["eval", "cdp"])
@pytest.mark.parametrize("how", ["", "target=_blank", "jsopen", "none"])
def test_stop(webtask, page, site, how, i, monkeypatch, way):
    u=site.foreign_url+"/evil"
    site.pages["/"]={"none": "<button>Pay</button>","jsopen": f"<button onclick=\"open('{u}')\">Pay</button>"}.get(how, f'<a {how} href="{u}">Pay</a>')
    page.goto(site.url)
    old=Loop._act
    said=[]
    browser=page.context.browser.new_browser_cdp_session()
    def act(self,*a):
        r=old(self,*a)
        if r[-1].tool=="click":
            n=0; t=time.monotonic()
            while n<40 and not any(e.kind=="stopped" for e in self.hands.tabs._events):
                (page.evaluate("1") if way=="eval" else browser.send("Target.getTargetInfo")); n+=1
            said.append((how,way,n,round(1000*(time.monotonic()-t),1)))
        return r
    monkeypatch.setattr(Loop,"_act",act)
    try:
        webtask.do('click "Pay"'); said.append("PASS")
    except TaskFailed as e: said.append("FAIL")
    print(said)

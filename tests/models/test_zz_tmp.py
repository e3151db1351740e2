from tests.models.names import refusal
import pytest, time
from pytest_webtask.tools.shown import is_shown
def test_inert(page):
    page.set_content("<div inert><button>Go</button></div>")
    print(refusal(page, 'click "Go"'))
CASES = [
 ("not saved!", "Saved", 0), ("Unsaved", "saved", 0), ("Order 123","Order 12",0), ("Order 12.50","Order 12",0), ("Order 12.","Order 12",1),
 ("<p style='opacity:0'>Saved","Saved",0), ("<div style='opacity:0'><p>Saved</div>","Saved",0),
 ("<p style='position:absolute;left:-9999px'>Saved","Saved",0),("<p style='text-indent:-9999px'>Saved","Saved",1),
 ("<div style='position:absolute;top:-9999px'><p>Saved</p></div>","Saved",0),
 ("<p style='margin-top:5000px'>Saved","Saved",1),
 ("Hello<br>Saved","Saved",1), ("Saved <b>unsaved</b>","Saved",1), ("Order 12 <b>Order 123</b>","Order 12",1),
 ("Saved <b>saved</b>","Saved",1),
 ("<p style='text-transform:uppercase'>Saved","Saved",1), ("<p style='text-transform:uppercase'>Saved","SAVED",1),
 ("<p>Order <span hidden>12</span>","Order 12",0), ("<p>Order\n   <b>12</b>","Order  12",1),
 ("<p>50% (off)/[x]","50% (off)/[x]",1), ("<p>已保存しました","保存",1), ("<p>Éa","a",0), ("<p>C++ rocks","C++",1),("<p>it's-fine","it's",1),
 ("<input value=Saved>","Saved",0), ("<input type=submit value=Saved>","Saved",1),
 ("<p style='position:absolute;width:1px;height:1px;overflow:hidden'>Saved","Saved",0),
 ("<div style='height:0;overflow:hidden'><p>Saved</div>","Saved",0),
 ("<div id=s style='height:50px;overflow:auto'><p>Saved<p style='height:3000px'></div><script>s.scrollTop=2000</script>","Saved",1),
 ("<iframe srcdoc='<p>Saved'></iframe>","Saved",1), ("<iframe style='opacity:0' srcdoc='<p>Saved'></iframe>","Saved",0),
 ("<x-a></x-a><script>document.querySelector('x-a').attachShadow({mode:'open'}).innerHTML='<p>Saved'</script>","Saved",1),
 ("<x-a></x-a><script>document.querySelector('x-a').attachShadow({mode:'open'}).innerHTML='Saved'</script>","Saved",1),
 ("<svg><text y=20>Saved</text></svg>","Saved",1),
 ("<body style='margin-top:3000px'><p>Saved<p style='height:5000px'></p><script>scrollTo(0,4500)</script>","Saved",1),
]
@pytest.mark.parametrize(("m","t","y"),CASES)
def test_c(sheet,m,t,y):
    sheet.set_content("<!doctype html>"+m); sheet.wait_for_timeout(60 if "iframe" in m else 0)
    s=time.monotonic()
    assert is_shown(sheet,t)==bool(y)
    print(round(1000*(time.monotonic()-s),1))

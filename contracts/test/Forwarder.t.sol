// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Forwarder} from "../src/Forwarder.sol";
import {BurningToken, SpoiledToken} from "./doubles/Tokens.sol";
import {HubSetup} from "./support/HubSetup.sol";

/// @notice Pays one account only with as much gas as it wants.
contract DemandingToken is SpoiledToken {
    address private immutable _account;
    uint256 private immutable _gas;

    constructor(address account, uint256 gas_) {
        (_account, _gas) = (account, gas_);
    }

    function transfer(address to, uint256 amount) external override returns (bool) {
        require(to != _account || gasleft() >= _gas, "too little gas");
        _move(to, amount);
        return true;
    }
}

/// @notice The gas of the fee leg, of the implementation behind every clone.
contract ForwarderTest is HubSetup {
    address private constant ALICE = address(0xA11CE);
    uint256 private constant FEE_GAS = 80_000;
    uint256 private constant RESERVE = 50_000;

    Forwarder private forwarder;
    BurningToken private token;
    /// @dev What remained after a fee leg that burnt all it got.
    uint256 private remaining;

    function setUp() public override {
        super.setUp();
        forwarder = Forwarder(hub.forwarderImplementation());
        token = new BurningToken(COLLECTOR);
    }

    /// @dev Pays as the hub does, and notes what gas is left.
    function pay() external returns (bool paid) {
        vm.prank(address(hub));
        paid = forwarder.pay(address(token), ALICE, 90, COLLECTOR, 10, FEE_GAS, RESERVE);
        remaining = gasleft();
    }

    /// @dev For every supply of gas: nothing happens, or the reserve remains.
    function test_the_reserve_remains_after_a_fee_leg_that_burns_all() public {
        uint256 done;
        uint256 refused;
        for (uint256 supply = 120_000; supply < 300_000; supply += 1_000) {
            token.mint(address(forwarder), 100);
            uint256 held = token.balanceOf(address(forwarder));
            (bool ok, bytes memory answer) =
                address(this).call{gas: supply}(abi.encodeCall(this.pay, ()));
            if (ok) {
                ++done;
                vm.assertFalse(abi.decode(answer, (bool)), "the fee was refused");
                vm.assertLe(RESERVE, remaining, "the reserve");
                vm.assertEq(token.balanceOf(address(forwarder)), held - 90, "the first leg");
            } else {
                ++refused;
                vm.assertEq(token.balanceOf(address(forwarder)), held, "nothing moved");
            }
        }
        vm.assertTrue(done > 0 && refused > 0, "both must come about");
    }

    /// @dev EIP-150 would let it have a 64th less. For every supply: nothing happens, or it is paid.
    function test_a_fee_leg_is_given_all_its_gas() public {
        uint256 feeGas = 640_000;
        DemandingToken demanding = new DemandingToken(COLLECTOR, feeGas - 1_000);
        uint256 done;
        uint256 refused;
        for (uint256 supply = feeGas; supply < feeGas + 120_000; supply += 1_000) {
            demanding.mint(address(forwarder), 100);
            (bool ok, bytes memory answer) = address(this).call{gas: supply}(
                abi.encodeCall(this.payWithoutReserve, (address(demanding), feeGas))
            );
            if (ok) vm.assertTrue(abi.decode(answer, (bool)), "the fee is not taken for refused");
            if (ok) ++done;
            else ++refused;
        }
        vm.assertTrue(done > 0 && refused > 0, "both must come about");
    }

    function payWithoutReserve(address paid, uint256 feeGas) external returns (bool) {
        vm.prank(address(hub));
        return forwarder.pay(paid, ALICE, 90, COLLECTOR, 10, feeGas, 0);
    }

    function test_a_fee_leg_that_cannot_be_given_its_gas_says_so() public {
        token.mint(address(forwarder), 100);
        vm.prank(address(hub));
        vm.expectPartialRevert(Forwarder.FeeGasTooLow.selector);
        forwarder.pay{gas: 200_000}(
            address(token), ALICE, 90, COLLECTOR, 10, FEE_GAS, 10 * RESERVE
        );
    }

    function test_without_a_fee_its_gas_does_not_matter() public {
        token.mint(address(forwarder), 100);
        vm.prank(address(hub));
        bool paid = forwarder.pay(
            address(token), ALICE, 90, COLLECTOR, 0, type(uint256).max, type(uint256).max
        );
        vm.assertTrue(paid, "paid");
        vm.assertEq(token.balanceOf(ALICE), 90, "receiver");
    }

    function test_a_call_passes_on_what_it_answers_to() public {
        vm.startPrank(address(hub));
        vm.expectRevert();
        forwarder.call(address(token), abi.encodeWithSignature("nothing()"));
        forwarder.call(address(token), abi.encodeWithSignature("mint(address,uint256)", ALICE, 3));
        vm.assertEq(token.balanceOf(ALICE), 3, "called");
    }
}
